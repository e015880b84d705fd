import type { Db } from '../db.ts'
import type { Gate } from '../executor.ts'
import type { PostgresConnection } from './connections.ts'
import { bindPostgres } from './executor.ts'
import type { Departure } from './together.ts'
import type { UnitWrites } from './unit-writes.ts'

/**
 * Begins a unit of work: each statement sees what was committed before it, including the work of the units that the
 * lock waited for.
 */
export const beginWrite = 'begin isolation level read committed'

/** Begins a read: all queries of it see one state. */
export const beginRead = 'begin isolation level repeatable read read only'

/**
 * Runs queries in a transaction.
 * @param begin the statement that begins it
 * @throws what `run` throws, or the failure of a statement that it did not wait for, after a rollback
 */
export async function transaction<Schema, Value>(
  connection: PostgresConnection,
  begin: string,
  run: (db: Db<Schema>) => Promise<Value>,
  writes?: UnitWrites<Schema>,
): Promise<Value> {
  const gate: Gate = { open: true }
  connection.send(begin, [])
  try {
    const value = await run(bindPostgres<Schema>(connection, gate, writes))
    // After a failed statement the server rolls back, and reports it only here.
    if ((await connection.exec('commit')) !== 'COMMIT') throw new Error('A failed statement was overlooked.')
    return value
  } catch (error) {
    // After a failure the server skips what was sent together with it.
    connection.complete()
    await connection.exec('rollback').catch(() => {})
    throw connection.failure ?? error
  } finally {
    gate.open = false
  }
}

/**
 * Runs queries that only read. All of them see one state.
 * @param end when the end of the transaction is sent; nobody waits for it
 */
export async function reading<Schema, Value>(
  connection: PostgresConnection,
  run: (db: Db<Schema>) => Promise<Value>,
  end: Departure,
): Promise<Value> {
  const gate: Gate = { open: true }
  connection.send(beginRead, [])
  try {
    return await run(bindPostgres<Schema>(connection, gate))
  } finally {
    connection.send('commit', [], end)
    gate.open = false
  }
}

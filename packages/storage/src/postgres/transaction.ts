import type { Db } from '../db.ts'
import type { Gate } from '../executor.ts'
import type { PostgresConnection } from './connections.ts'
import { bindPostgres } from './executor.ts'
import type { UnitWrites } from './unit-writes.ts'

/** Begins a unit of work: each statement sees what was committed before it, so also what the lock waited for. */
export const beginWrite = 'begin isolation level read committed'

/** Begins a read: all queries of it see one state. */
export const beginRead = 'begin isolation level repeatable read read only'

/**
 * Runs queries in a transaction.
 * @param begin the statement that begins it
 * @throws what `run` throws, after a rollback
 */
export async function transaction<Schema, Value>(
  connection: PostgresConnection,
  begin: string,
  run: (db: Db<Schema>) => Promise<Value>,
  writes?: UnitWrites<Schema>,
): Promise<Value> {
  const gate: Gate = { open: true }
  // Sent ahead of the first statement, without waiting for the answer; a lost connection fails both.
  const begun = connection.exec(begin)
  begun.catch(() => {})
  try {
    const value = await run(bindPostgres<Schema>(connection, gate, writes))
    await begun
    // After a failed statement the server rolls back, and says so only here.
    if ((await connection.exec('commit')) !== 'COMMIT') throw new Error('A failed statement was overlooked.')
    return value
  } catch (error) {
    await connection.exec('rollback').catch(() => {})
    throw error
  } finally {
    gate.open = false
  }
}

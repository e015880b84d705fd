import { StorageError } from '../storage-error.ts'
import type { PostgresConnection } from './connections.ts'
import { codeOf } from './faults.ts'
import { type LockKind, takeRows } from './row-locks.ts'

/** The lock that every unit of work with a name shares, and that a unit without a name takes exclusively. */
const allWork = 'specboard'

/**
 * Waits until no other unit of work, on any node, runs under a name; held until the transaction ends.
 * @param name undefined for a unit that runs alone
 * @param by the kind of lock that all nodes of the database use
 */
export async function takeLock(
  connection: PostgresConnection,
  name: string | undefined,
  by: LockKind = 'advisory',
): Promise<void> {
  if (by === 'rows') await takeRows(connection, name)
  else if (name === undefined) await connection.run('select pg_advisory_xact_lock(hashtextextended($1, 0))', [allWork])
  else
    await connection.run(
      'select pg_advisory_xact_lock_shared(hashtextextended($1, 0)), pg_advisory_xact_lock(hashtextextended($2, 0))',
      [allWork, name],
    )
}

/** The lock for moving or filling the whole database. */
const moving = 'specboard moving'

/**
 * Prevents nodes from starting, and other moves, until the connection ends. Waits for nodes that are migrating.
 * @throws StorageError DATABASE_IN_USE when another one has the lock for too long
 */
export async function takeMovingLock(connection: PostgresConnection): Promise<void> {
  try {
    await connection.run('select pg_advisory_lock(hashtextextended($1, 0))', [moving])
  } catch (error) {
    if (codeOf(error) === '55P03') throw beingMoved(error)
    throw error
  }
}

/** Prevents units of work on all nodes until the connection ends; waits for those that have begun. */
export async function lockOutUnits(connection: PostgresConnection): Promise<void> {
  await connection.run('select pg_advisory_lock(hashtextextended($1, 0))', [allWork])
}

/**
 * Refuses a database that is being moved, and prevents a move until the transaction ends.
 * @throws StorageError DATABASE_IN_USE
 */
export async function refuseMoving(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.run<{ free: number }>(
    'select pg_try_advisory_xact_lock_shared(hashtextextended($1, 0)) as free',
    [moving],
  )
  if (rows[0]!.free === 0) throw beingMoved()
}

const beingMoved = (cause?: unknown): StorageError =>
  new StorageError(
    'DATABASE_IN_USE',
    'The PostgreSQL database is being moved by "specboard migrate". Start again once that has ended, on the database that the service was moved to.',
    { cause },
  )

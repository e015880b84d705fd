/**
 * Locks by rows of a table, for databases without advisory locks. A unit of work locks the row of its name; a unit that
 * runs alone locks all rows, in order. Each row is locked exclusively, so that all units are served in turn, and
 * nothing is written but the mark of the lock.
 */
import { fnv1a } from '../fnv1a.ts'
import { StorageError } from '../storage-error.ts'
import type { PostgresConnection } from './connections.ts'
import { servingNodes } from './served.ts'

/** What units of work lock: advisory locks of the server, or rows of a table if the server has no advisory locks. */
export type LockKind = 'advisory' | 'rows'

/**
 * The number of rows that names are spread over: the chance that two names share a row, and so wait for each other
 * needlessly, is one in this number.
 */
const rows = 1_024

/** The row that nodes lock to migrate, and the row that says how the nodes of the database lock. */
const migrationRow = -1
const kindRow = 0

/** The row of a name: the same on all nodes. */
export const rowOf = (name: string): number => 1 + (fnv1a(name) % rows)

/** Waits for a name, or for all; held until the transaction ends. */
export async function takeRows(connection: PostgresConnection, name: string | undefined): Promise<void> {
  if (name === undefined) await connection.run('select id from specboard_locks where id > 0 order by id for update')
  else await connection.run('select id from specboard_locks where id = $1 for update', [rowOf(name)])
}

/** Waits until no other node migrates; held until the transaction ends. */
export async function takeMigrationRow(connection: PostgresConnection): Promise<void> {
  await connection.run('select id from specboard_locks where id = $1 for update', [migrationRow])
}

/** Makes the table with its rows where it is missing. */
export async function makeLockRows(connection: PostgresConnection): Promise<void> {
  const make = async () => {
    await connection.exec('create table if not exists specboard_locks (id integer not null primary key, kind text)')
    await connection.run(
      'insert into specboard_locks (id) select generate_series($1::integer, $2::integer) on conflict do nothing',
      [migrationRow, rows],
    )
  }
  // Two nodes that make it at once hinder each other.
  await make().catch(make)
}

/** The kind of lock that the nodes of a database use, as recorded by the last one that started. */
export async function storedKind(connection: PostgresConnection): Promise<LockKind> {
  const { rows: tables } = await connection.run<{ name: string | null }>(
    "select to_regclass('specboard_locks')::text as name",
  )
  if (tables[0]!.name === null) return 'advisory'
  const { rows: kinds } = await connection.run<{ kind: LockKind | null }>(
    'select kind from specboard_locks where id = $1 for update',
    [kindRow],
  )
  return kinds[0]?.kind ?? 'advisory'
}

/**
 * Records the kind of lock that this node uses. All nodes of a database have to use the same kind: if another kind is
 * recorded, no other node may be serving the database.
 * @throws StorageError DATABASE_REFUSED
 */
export async function settleKind(connection: PostgresConnection, kind: LockKind): Promise<void> {
  await connection.exec('begin')
  try {
    const stored = await storedKind(connection)
    if (stored !== kind) {
      if ((await servingNodes(connection)) > 0) throw otherKind(stored)
      await connection.run('update specboard_locks set kind = $2 where id = $1', [kindRow, kind])
    }
    await connection.exec('commit')
  } catch (error) {
    await connection.exec('rollback')
    throw connection.failure ?? error
  }
}

/**
 * Checks, once others can see that this node serves, that no node that started at the same time uses another kind of
 * lock.
 * @throws StorageError DATABASE_REFUSED
 */
export async function confirmKind(connection: PostgresConnection, kind: LockKind): Promise<void> {
  const stored = await storedKind(connection)
  if (stored !== kind) throw otherKind(stored)
}

const otherKind = (stored: LockKind): StorageError =>
  new StorageError(
    'DATABASE_REFUSED',
    `The nodes that serve the PostgreSQL database have SPECBOARD_DATABASE_LOCKS=${stored}: set it on this one too, or stop all of them first.`,
  )

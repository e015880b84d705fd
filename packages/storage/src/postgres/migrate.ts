import { type DatabaseConnection, type Driver, Kysely, PostgresAdapter, PostgresIntrospector, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type Migrations, stillPending } from '../migrate.ts'
import { StorageError } from '../storage-error.ts'
import { PostgresCompiler } from './compiler.ts'
import type { PostgresConnection } from './connections.ts'
import { codeOf } from './faults.ts'
import { refuseMoving } from './locks.ts'
import { type LockKind, makeLockRows, takeMigrationRow } from './row-locks.ts'

/** The advisory lock under which nodes migrate, one after the other. */
const migrationLock = 7_373_001

/**
 * Migrates the database to this version, in one transaction and under a lock, so that only one of several nodes that
 * start together migrates.
 *
 * @param locks the kind of lock that nodes use, since there may be no advisory locks
 * @returns the names of the migrations that ran on existing data; empty for a new database
 * @throws StorageError DATABASE_NEWER when a newer version has migrated it, DATABASE_IN_USE while it is being moved,
 * DATABASE_REFUSED for a role that may not make tables
 */
export async function migratePostgres(
  connection: PostgresConnection,
  migrations: Migrations,
  locks: LockKind = 'advisory',
): Promise<string[]> {
  if (locks === 'rows') await makeLockRows(connection)
  const db = new Kysely<unknown>({ dialect: migrationDialect(connection) })
  await connection.exec('begin')
  try {
    // A migration of a large table may take as long as it needs.
    await connection.exec('set local statement_timeout = 0')
    if (locks === 'rows') await takeMigrationRow(connection)
    else {
      await refuseMoving(connection)
      await connection.run('select pg_advisory_xact_lock($1)', [migrationLock])
    }
    const { applied, pending } = await stateOf(db, migrations)
    if (pending.length > 0) {
      const provider = { getMigrations: async () => ({ ...migrations }) }
      const { error } = await new Migrator({ db, provider }).migrateToLatest()
      if (error !== undefined) throw error
    }
    await connection.exec('commit')
    return applied.length > 0 ? pending : []
  } catch (error) {
    await connection.exec('rollback')
    // Later statements only say that an earlier one has failed.
    const failure = connection.failure ?? error
    throw codeOf(failure) === '42501' ? await notAllowed(connection, failure as Error) : failure
  }
}

async function notAllowed(connection: PostgresConnection, cause: Error): Promise<StorageError> {
  const { rows } = await connection.run<{ remedy: string }>(
    `select format('alter database %I owner to %I', current_database(), current_user) as remedy`,
  )
  return new StorageError(
    'DATABASE_REFUSED',
    `PostgreSQL refuses to create the tables: ${cause.message}. Let the role own the database, and what is in it: ${rows[0]!.remedy}.`,
    { cause },
  )
}

/**
 * The migrations that a database still needs: all of them if it is empty.
 * @throws StorageError DATABASE_NEWER or DATABASE_OLDER for an unknown one
 */
export const pendingPostgresMigrations = async (
  connection: PostgresConnection,
  migrations: Migrations,
): Promise<string[]> =>
  (await stateOf(new Kysely<unknown>({ dialect: migrationDialect(connection) }), migrations)).pending

async function stateOf(db: Kysely<unknown>, migrations: Migrations) {
  const applied = await appliedNames(db)
  return { applied, pending: stillPending(applied, migrations, 'a backup of PostgreSQL that was made before') }
}

async function appliedNames(db: Kysely<unknown>): Promise<string[]> {
  const tables = await sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`.execute(db)
  if (tables.rows[0]!.name === null) return []
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return applied.rows.map(row => row.name)
}

/** Kysely's own lock belongs to the session, which connection poolers lose. */
class LockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Runs within the transaction that holds the lock. */
export const migrationDialect = (connection: PostgresConnection) => ({
  createAdapter: () => new LockedAdapter(),
  createQueryCompiler: () => new PostgresCompiler(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createDriver: (): Driver => ({
    init: async () => {},
    acquireConnection: async () => onConnection(connection),
    beginTransaction: async () => {},
    commitTransaction: async () => {},
    rollbackTransaction: async () => {},
    releaseConnection: async () => {},
    destroy: async () => {},
  }),
})

const onConnection = (connection: PostgresConnection): DatabaseConnection => ({
  executeQuery: ({ sql: text, parameters }) => connection.run(text, parameters),
  // biome-ignore lint/correctness/useYield: nothing of a migration is read as a stream
  async *streamQuery() {
    throw new StorageError('NO_STREAMS', 'Streaming is not supported. Read in pages by key.')
  },
})

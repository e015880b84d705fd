import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Driver, Kysely, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Connection } from './connection.ts'
import { syncFolder } from './data-folder.ts'
import { TransactionalSqliteAdapter } from './executor.ts'
import { StorageError } from './storage-error.ts'

/** Every migration, by name; they run in the text order of their names. */
export type Migrations = Readonly<Record<string, Migration>>

/**
 * The migrations that a database still needs.
 * @throws StorageError DATABASE_NEWER when a newer version has migrated it
 */
export async function pendingMigrations(connection: Connection, migrations: Migrations): Promise<string[]> {
  const applied = await appliedNames(new Kysely<unknown>({ dialect: migrationDialect(connection) }))
  const newer = applied.filter(name => !(name in migrations))
  if (newer.length > 0) throw newerDatabase(newer)
  return Object.keys(migrations).filter(name => !applied.includes(name))
}

/** The refusal of a database with migrations that this version does not know. */
export const newerDatabase = (names: readonly string[]): StorageError =>
  new StorageError(
    'DATABASE_NEWER',
    `The database was written by a newer specboard (${names.join(', ')}). Run that version, or restore the copy made before it.`,
  )

/** The refusal of a database that a start of this version has not migrated yet. */
export const olderDatabase = (): StorageError =>
  new StorageError(
    'DATABASE_OLDER',
    'The database is of an older version. Start this version of "specboard serve" once to bring it up to date.',
  )

/**
 * Migrates the database to this version: runs all pending migrations in one transaction, and first copies a database
 * with tables to `before-<first pending>.db` beside it. Writes the log back, which a migration can make long.
 *
 * @returns the names of the migrations that ran on existing data; none for a new database
 * @throws StorageError DATABASE_NEWER when a newer version has migrated it
 */
export async function migrate(
  connection: Connection,
  migrations: Migrations,
  backupFile: (firstPending: string) => string,
): Promise<string[]> {
  const pending = await pendingMigrations(connection, migrations)
  if (pending.length === 0) return []
  const hasData = pending.length < Object.keys(migrations).length
  if (hasData) {
    const file = backupFile(pending[0]!)
    if (!existsSync(file)) await backUp(connection, file)
  }
  const db = new Kysely<unknown>({ dialect: migrationDialect(connection) })
  connection.pragma('foreign_keys = off')
  try {
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: async () => checked(migrations) },
    }).migrateToLatest()
    if (error !== undefined) throw error
  } finally {
    connection.pragma('foreign_keys = on')
  }
  connection.pragma('wal_checkpoint(passive)')
  return hasData ? pending : []
}

/** Copies a database under a name that the copy gets only when it is complete, so that no part of one passes for it. */
async function backUp(connection: Connection, file: string): Promise<void> {
  const part = `${file}.part`
  const remove = () => {
    for (const left of [part, `${part}-journal`]) rmSync(left, { force: true })
  }
  remove()
  try {
    await connection.backup(part)
    renameSync(part, file)
    syncFolder(dirname(file))
  } catch (error) {
    remove()
    throw error
  }
}

async function appliedNames(db: Kysely<unknown>): Promise<string[]> {
  const tables = await sql<{ name: string }>`select name from sqlite_master where name = 'kysely_migration'`.execute(db)
  if (tables.rows.length === 0) return []
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return applied.rows.map(row => row.name)
}

/** The migrations, each checked to leave no broken references; one that does is rolled back with all others. */
const checked = (migrations: Migrations): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => {
      const checkedUp: Migration['up'] = async db => {
        await up(db)
        const broken = await sql`pragma foreign_key_check`.execute(db)
        if (broken.rows.length > 0) throw new Error(`Migration ${name} left ${broken.rows.length} broken references.`)
      }
      return [name, { up: checkedUp }]
    }),
  )

const migrationDialect = (connection: Connection) => ({
  createAdapter: () => new TransactionalSqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  createDriver: (): Driver => ({
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => connection.exec('begin immediate'),
    commitTransaction: async () => connection.exec('commit'),
    rollbackTransaction: async () => connection.exec('rollback'),
    releaseConnection: async () => {},
    destroy: async () => {},
  }),
})

import { existsSync } from 'node:fs'
import { type Driver, Kysely, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Connection } from './connection.ts'
import { duplicate } from './duplicate.ts'
import { TransactionalSqliteAdapter } from './executor.ts'
import { StorageError } from './storage-error.ts'

/** Every migration, by name; they run in the text order of their names. */
export type Migrations = Readonly<Record<string, Migration>>

/**
 * The migrations that a database still needs.
 * @throws StorageError DATABASE_NEWER when a newer version has migrated it, DATABASE_OLDER when it is from before the first
 *   of the migrations
 */
export async function pendingMigrations(connection: Connection, migrations: Migrations): Promise<string[]> {
  const applied = await appliedNames(new Kysely<unknown>({ dialect: migrationDialect(connection) }))
  return stillPending(applied, migrations)
}

/**
 * The migrations that are not among those applied.
 * @throws StorageError DATABASE_NEWER or DATABASE_OLDER for an unknown one
 */
export function stillPending(applied: readonly string[], migrations: Migrations, remedy?: string): string[] {
  const names = Object.keys(migrations)
  const unknown = applied.filter(name => !Object.hasOwn(migrations, name))
  if (unknown.some(name => name < names[0]!)) throw forgottenDatabase()
  if (unknown.length > 0) throw newerDatabase(unknown, remedy)
  return names.filter(name => !applied.includes(name))
}

const forgottenDatabase = (): StorageError =>
  new StorageError(
    'DATABASE_OLDER',
    'The database is from a version before the first release. Export its boards with that version and import them here.',
  )

/**
 * The refusal of a database with migrations that this version does not know.
 * @param remedy the copy of it that was kept
 */
const newerDatabase = (names: readonly string[], remedy = 'the copy made before it'): StorageError =>
  new StorageError(
    'DATABASE_NEWER',
    `The database was written by a newer specboard (${names.join(', ')}). Run that version, or restore ${remedy}.`,
  )

/** The refusal of a database that has not been migrated by a start of this version. */
export const olderDatabase = (): StorageError =>
  new StorageError(
    'DATABASE_OLDER',
    'The database is of an older version. Start this version of "specboard serve" once to bring it up to date.',
  )

/** The options of a migration. */
export interface MigrationOptions {
  /** The file of the connection. */
  readonly database: string
  readonly migrations: Migrations
  /** Where a database with tables is copied to beforehand. */
  readonly backupFile: (firstPending: string) => string
  /** Resolves once the database may be changed; the database is copied in the meantime. */
  readonly admitted: Promise<void>
}

/**
 * Migrates the database to this version: runs all pending migrations in one transaction, which is committed once a
 * database with tables was copied, in its previous state, to `before-<first pending>.db` next to it. Writes the log
 * back, which a migration can make long.
 *
 * @returns the names of the migrations that ran on existing data; empty for a new database
 * @throws StorageError DATABASE_NEWER when a newer version has migrated it
 * @throws what `admitted` throws, with nothing changed
 */
export async function migrate(
  connection: Connection,
  { database, migrations, backupFile, admitted }: MigrationOptions,
): Promise<string[]> {
  // The error is reported to whoever awaits it below.
  admitted.catch(() => {})
  const pending = await pendingMigrations(connection, migrations)
  const [first] = pending
  if (first === undefined) {
    await admitted
    return []
  }
  const hasData = pending.length < Object.keys(migrations).length
  const file = backupFile(first)
  const copy = hasData && !existsSync(file) ? duplicate(connection, database, file) : undefined
  let keeping: Promise<void> | undefined
  const keep = async () => {
    keeping ??= copy?.keep()
    await keeping
  }
  try {
    await admitted
    // The state that made a migration fail helps to find the cause.
    await migrateAll(connection, migrations, keep).finally(keep)
  } finally {
    await copy?.drop()
  }
  connection.pragma('wal_checkpoint(passive)')
  return hasData ? pending : []
}

/** Runs all migrations on a database that is thrown away afterwards. */
export const migrateEmpty = (connection: Connection, migrations: Migrations): Promise<void> =>
  migrateAll(connection, migrations)

/** @param copied resolves when the changes may be committed */
async function migrateAll(connection: Connection, migrations: Migrations, copied?: () => Promise<void>): Promise<void> {
  const db = new Kysely<unknown>({ dialect: migrationDialect(connection, copied) })
  connection.pragma('foreign_keys = off')
  try {
    const provider = { getMigrations: async () => checked(migrations) }
    const { error } = await new Migrator({ db, provider }).migrateToLatest()
    if (error !== undefined) throw error
  } finally {
    connection.pragma('foreign_keys = on')
  }
}

async function appliedNames(db: Kysely<unknown>): Promise<string[]> {
  const tables = await sql<{ name: string }>`select name from sqlite_master where name = 'kysely_migration'`.execute(db)
  if (tables.rows.length === 0) return []
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return applied.rows.map(row => row.name)
}

/**
 * The migrations, each followed by a check for broken references: if there are any, it is rolled back together with all
 * others.
 */
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

/** @param beforeCommit what a transaction waits for at its end */
const migrationDialect = (connection: Connection, beforeCommit = async () => {}) => ({
  createAdapter: () => new TransactionalSqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  createDriver: (): Driver => ({
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => connection.exec('begin immediate'),
    commitTransaction: async () => {
      await beforeCommit()
      connection.exec('commit')
    },
    rollbackTransaction: async () => connection.exec('rollback'),
    releaseConnection: async () => {},
    destroy: async () => {},
  }),
})

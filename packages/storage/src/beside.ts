import { existsSync } from 'node:fs'
import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import type { Db } from './db.ts'
import { bind, type Gate } from './executor.ts'
import { type Migrations, pendingMigrations } from './migrate.ts'
import { StorageError } from './storage-error.ts'

/** A folder's database, opened without the folder's lock: beside a server or alone. */
export interface Beside {
  readonly folder: string
  /** Every migration of this program. */
  readonly migrations: Migrations
}

/**
 * Runs one durable unit of work on a folder's database without its lock: the database itself keeps the two
 * writers apart. Takes a database of this very version only.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER
 */
export const writeBeside = <Schema, Value>(beside: Beside, run: (db: Db<Schema>) => Promise<Value>): Promise<Value> =>
  opened(beside, false, connection => inTransaction(connection, run))

/**
 * Runs reads on a folder's database without its lock. Takes a database of this very version only.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER
 */
export const readBeside = <Schema, Value>(beside: Beside, run: (db: Db<Schema>) => Promise<Value>): Promise<Value> =>
  opened(beside, true, connection => run(bind<Schema>(connection, { open: true })))

async function opened<Value>(
  { folder, migrations }: Beside,
  readonly: boolean,
  run: (connection: Connection) => Promise<Value>,
): Promise<Value> {
  const file = databaseFile(folder)
  if (!existsSync(file))
    throw new StorageError(
      'NO_DATABASE',
      `There is no database in ${folder}. Start "specboard serve" once, or name its folder with --data-dir.`,
    )
  const connection = new Connection(file, { readonly, cacheMb: 4 })
  try {
    if ((await pendingMigrations(connection, migrations)).length > 0) {
      throw new StorageError(
        'DATABASE_OLDER',
        'The database is of an older version. Start this version of "specboard serve" once, it brings it up to date.',
      )
    }
    return await run(connection)
  } finally {
    connection.close()
  }
}

async function inTransaction<Schema, Value>(
  connection: Connection,
  run: (db: Db<Schema>) => Promise<Value>,
): Promise<Value> {
  const gate: Gate = { open: true }
  connection.exec('begin immediate')
  try {
    const value = await run(bind<Schema>(connection, gate))
    connection.exec('commit')
    return value
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback')
    throw error
  } finally {
    gate.open = false
  }
}

/** What a look into a folder's database found. */
export interface Inspection {
  readonly sqliteVersion: string
  /** `ok`, or the first faults. */
  readonly integrity: string
  readonly brokenReferences: number
  readonly pendingMigrations: readonly string[]
  /** Rows by table; empty while migrations are pending. */
  readonly rows: Readonly<Record<string, number>>
}

/**
 * Looks into a folder's database without its lock: integrity, references, version, and the sizes of some tables.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER
 */
export async function inspect({ folder, migrations }: Beside, tables: readonly string[]): Promise<Inspection> {
  const file = databaseFile(folder)
  if (!existsSync(file)) throw new StorageError('NO_DATABASE', `There is no database in ${folder} yet.`)
  const connection = new Connection(file, { readonly: true, cacheMb: 16 })
  try {
    const count = (table: string) =>
      connection.rows<{ count: number }>(`select count(*) as count from ${table}`)[0]?.count ?? 0
    const pending = await pendingMigrations(connection, migrations)
    return {
      sqliteVersion: connection.rows<{ version: string }>('select sqlite_version() as version')[0]!.version,
      integrity: connection
        .rows<{ integrity_check: string }>('pragma integrity_check(5)')
        .map(row => row.integrity_check)
        .join('; '),
      brokenReferences: connection.rows('pragma foreign_key_check').length,
      pendingMigrations: pending,
      rows: pending.length > 0 ? {} : Object.fromEntries(tables.map(table => [table, count(table)])),
    }
  } finally {
    connection.close()
  }
}

import { existsSync } from 'node:fs'
import { Connection } from './connection.ts'
import { databaseFile } from './database.ts'
import { bind, type Db, type Gate } from './executor.ts'
import { pendingMigrations } from './migrate.ts'
import { StorageError } from './storage-error.ts'

/**
 * Runs one durable unit of work on a folder's database without its lock, beside a server or alone: the
 * database itself keeps the two writers apart. Takes a database of this very version only.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER
 */
export const writeBeside = <Value>(folder: string, run: (db: Db) => Promise<Value>): Promise<Value> =>
  beside(folder, false, connection => inTransaction(connection, run))

/**
 * Runs reads on a folder's database without its lock. Takes a database of this very version only.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER
 */
export const readBeside = <Value>(folder: string, run: (db: Db) => Promise<Value>): Promise<Value> =>
  beside(folder, true, connection => run(bind(connection, { open: true })))

async function beside<Value>(
  folder: string,
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
    if ((await pendingMigrations(connection)).length > 0) {
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

async function inTransaction<Value>(connection: Connection, run: (db: Db) => Promise<Value>): Promise<Value> {
  const gate: Gate = { open: true }
  connection.exec('begin immediate')
  try {
    const value = await run(bind(connection, gate))
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
  readonly rows: Readonly<Record<string, number>>
}

/**
 * Looks into a folder's database without its lock: integrity, references, version, sizes.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER
 */
export async function inspect(folder: string): Promise<Inspection> {
  const file = databaseFile(folder)
  if (!existsSync(file)) throw new StorageError('NO_DATABASE', `There is no database in ${folder} yet.`)
  const connection = new Connection(file, { readonly: true, cacheMb: 16 })
  try {
    const count = (table: string) =>
      connection.rows<{ count: number }>(`select count(*) as count from ${table}`)[0]?.count ?? 0
    const pending = await pendingMigrations(connection)
    return {
      sqliteVersion: connection.rows<{ version: string }>('select sqlite_version() as version')[0]!.version,
      integrity: connection
        .rows<{ integrity_check: string }>('pragma integrity_check(5)')
        .map(row => row.integrity_check)
        .join('; '),
      brokenReferences: connection.rows('pragma foreign_key_check').length,
      pendingMigrations: pending,
      rows:
        pending.length > 0
          ? {}
          : {
              agents: count('agents'),
              boards: count('boards'),
              specs: count('specs'),
              cards: count('cards'),
              events: count('events'),
            },
    }
  } finally {
    connection.close()
  }
}

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import type { Db } from './db.ts'
import { bind, type Gate } from './executor.ts'
import { type Migrations, olderDatabase, pendingMigrations } from './migrate.ts'
import { StorageError } from './storage-error.ts'

/** How long a unit of work waits for the writers before it, and how long between two tries, ms. */
const patienceMs = 5_000
const betweenTriesMs = 10

/** The database of a folder to open without the folder's lock, even while a server holds it. */
export interface UnlockedDatabase {
  readonly folder: string
  /** Every migration of this version. */
  readonly migrations: Migrations
}

/**
 * Runs a durable unit of work on a folder's database without its lock; SQLite itself serialises it with a server's
 * writes. The database must be of exactly this version.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER
 */
export const writeWithoutLock = <Schema, Value>(
  unlocked: UnlockedDatabase,
  run: (db: Db<Schema>) => Promise<Value>,
): Promise<Value> => opened(unlocked, false, connection => inTransaction(connection, run))

/**
 * Runs reads on a folder's database without its lock. The database must be of exactly this version.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER
 */
export const readWithoutLock = <Schema, Value>(
  unlocked: UnlockedDatabase,
  run: (db: Db<Schema>) => Promise<Value>,
): Promise<Value> => opened(unlocked, true, connection => run(bind<Schema>(connection, { open: true })))

async function opened<Value>(
  { folder, migrations }: UnlockedDatabase,
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
    if ((await pendingMigrations(connection, migrations)).length > 0) throw olderDatabase()
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
  await begin(connection)
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

/**
 * Begins to write once no other writer does. It waits in turns of the event loop, since the other writer may belong to
 * this process.
 */
async function begin(connection: Connection): Promise<void> {
  connection.setBusyTimeout(0)
  const until = performance.now() + patienceMs
  while (!began(connection, performance.now() < until)) await sleep(betweenTriesMs)
}

function began(connection: Connection, mayWait: boolean): boolean {
  try {
    connection.exec('begin immediate')
    return true
  } catch (error) {
    if (mayWait && error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}

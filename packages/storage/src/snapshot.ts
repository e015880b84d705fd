import { existsSync } from 'node:fs'
import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import type { Db } from './db.ts'
import { bind } from './executor.ts'
import { type Migrations, pendingMigrations } from './migrate.ts'
import { StorageError } from './storage-error.ts'

/** Pages copied in one turn of the event loop. */
const pagesATurn = 1_000

/** The progress of a snapshot, in pages. */
export interface SnapshotProgress {
  readonly done: number
  readonly total: number
}

/**
 * Copies the database of a folder as it is at one instant, by SQLite's online backup, while a server may write to it.
 * The copy is a single file without a log.
 * @throws StorageError NO_DATABASE
 */
export async function snapshotWithoutLock(
  folder: string,
  target: string,
  onProgress: (progress: SnapshotProgress) => void = () => {},
): Promise<void> {
  const file = databaseFile(folder)
  if (!existsSync(file)) throw new StorageError('NO_DATABASE', `There is no database in ${folder}.`)
  const connection = new Connection(file, { readonly: true, cacheMb: 4 })
  try {
    // In a transaction, which the first read begins, writes of the server do not make the copy start over.
    connection.exec('begin')
    connection.rows('select 1 from sqlite_schema limit 1')
    await connection.backup(target, pagesATurn, onProgress)
  } finally {
    connection.close()
  }
}

/**
 * The first fault of a snapshot's pages or references; undefined when there is none.
 * @throws StorageError DATABASE_NEWER when a newer version wrote it
 */
export const faultOfSnapshot = (file: string, migrations: Migrations): Promise<string | undefined> =>
  withSnapshot(file, async connection => {
    const [first] = connection.rows<{ integrity_check: string }>('pragma integrity_check(1)')
    if (first?.integrity_check !== 'ok') return first?.integrity_check ?? 'nothing could be read'
    await pendingMigrations(connection, migrations)
    const [broken] = connection.rows<{ table: string }>('pragma foreign_key_check')
    return broken === undefined ? undefined : `a row of ${broken.table} refers to one that is missing`
  })

/** Runs reads on a snapshot, of whatever version. */
export const readSnapshot = <Schema, Value>(file: string, run: (db: Db<Schema>) => Promise<Value>): Promise<Value> =>
  withSnapshot(file, connection => run(bind<Schema>(connection, { open: true })))

async function withSnapshot<Value>(file: string, run: (connection: Connection) => Promise<Value>): Promise<Value> {
  // The last writer to close leaves no log next to the file.
  const connection = new Connection(file, { readonly: false, cacheMb: 16 })
  try {
    return await run(connection)
  } finally {
    connection.close()
  }
}

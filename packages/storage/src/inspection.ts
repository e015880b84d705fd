import { existsSync } from 'node:fs'
import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import { pendingMigrations } from './migrate.ts'
import { StorageError } from './storage-error.ts'
import type { UnlockedDatabase } from './unlocked.ts'

/** The state of a folder's database. */
export interface Inspection {
  readonly sqliteVersion: string
  /** `ok`, or the first errors that SQLite found. */
  readonly integrity: string
  readonly brokenReferences: number
  readonly pendingMigrations: readonly string[]
  /** The number of rows, by table; empty while migrations are pending. */
  readonly rows: Readonly<Record<string, number>>
}

/**
 * Inspects a folder's database without its lock: integrity, references, version, and the sizes of some tables.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER
 */
export async function inspectWithoutLock(
  { folder, migrations }: UnlockedDatabase,
  tables: readonly string[],
): Promise<Inspection> {
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

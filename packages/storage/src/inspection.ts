import { existsSync } from 'node:fs'
import { type BrokenReferences, brokenReferencesOf } from './broken-references.ts'
import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import { pendingMigrations } from './migrate.ts'
import { StorageError } from './storage-error.ts'
import type { UnlockedDatabase } from './unlocked.ts'

/** The state of a folder's database. */
export interface Inspection {
  readonly sqliteVersion: string
  /** `ok`, or the first errors that SQLite found, without those of indexes. */
  readonly integrity: string
  /** Indexes that do not agree with their tables. */
  readonly staleIndexes: readonly string[]
  readonly brokenReferences: BrokenReferences
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
    const { integrity, staleIndexes } = integrityOf(connection)
    return {
      sqliteVersion: connection.rows<{ version: string }>('select sqlite_version() as version')[0]!.version,
      integrity,
      staleIndexes,
      brokenReferences: brokenReferencesOf(connection),
      pendingMigrations: pending,
      rows: pending.length > 0 ? {} : Object.fromEntries(tables.map(table => [table, count(table)])),
    }
  } finally {
    connection.close()
  }
}

/** SQLite's message about an index that does not agree with its table. */
const ofIndex = /^(?:row \d+ missing from|row \d+ values differ from|wrong # of entries in) index (\S+)$/

/** Maximum number of errors in pages and indexes that are searched for; below, the number of them that are reported. */
const maxErrors = 100
const toldErrors = 5

function integrityOf(connection: Connection): Pick<Inspection, 'integrity' | 'staleIndexes'> {
  const lines = connection
    .rows<{ integrity_check: string }>(`pragma integrity_check(${maxErrors})`)
    .map(row => row.integrity_check)
  const stale = new Set(lines.flatMap(line => ofIndex.exec(line)?.[1] ?? []))
  const others = lines.filter(line => !ofIndex.test(line)).slice(0, toldErrors)
  return { integrity: others.join('; ') || 'ok', staleIndexes: [...stale] }
}

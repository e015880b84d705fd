import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Database, databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'
import { migrations } from '../../../packages/domain/src/schema/migrations/all.ts'

/** The newest migration: databases are put back to the schema before it. */
const [last] = Object.keys(migrations).toSorted().slice(-1)

/** Whether there was a schema before the newest migration. */
export const hasEarlier = Object.keys(migrations).length > 1

/** Tables whose rows are not copied: SQLite's own, those of the migrations, and the indexes of copied tables. */
const notCopied = /^(?:sqlite_.*|kysely_.*|(?:kg|search)_terms)$/

/**
 * Puts the database of a folder back to the schema before the newest migration, with all rows, so that the next start
 * has to migrate it. No server may use the folder.
 */
export async function putBack(folder: string): Promise<void> {
  const beside = mkdtempSync(join(folder, '..', 'older-'))
  const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name !== last))
  await (await Database.open({ folder: beside, migrations: earlier })).close()
  const older = new SqliteDatabase(databaseFile(beside)).unsafeMode()
  older.pragma('foreign_keys = off')
  older.prepare('attach ? as newer').run(databaseFile(folder))
  older.transaction(() => {
    for (const table of tablesOf(older)) copy(older, table)
  })()
  older.close()
  for (const file of ['', '-wal', '-shm']) rmSync(databaseFile(folder) + file, { force: true })
  renameSync(databaseFile(beside), databaseFile(folder))
  rmSync(beside, { recursive: true })
}

const tablesOf = (database: SqliteDatabase.Database): string[] =>
  (database.prepare(`select name from main.sqlite_master where type = 'table'`).all() as { name: string }[])
    .map(({ name }) => name)
    .filter(name => !notCopied.test(name))

/** Copies the rows of a table, with the columns that both databases have. */
function copy(database: SqliteDatabase.Database, table: string): void {
  const columnsOf = (schema: string) =>
    (database.pragma(`${schema}.table_info(${table})`) as { name: string }[]).map(({ name }) => name)
  const newer = new Set(columnsOf('newer'))
  const shared = columnsOf('main').filter(name => newer.has(name))
  if (shared.length === 0) return
  database.exec(`delete from main.${table}`)
  database.exec(`insert into main.${table} (${shared}) select ${shared} from newer.${table}`)
}

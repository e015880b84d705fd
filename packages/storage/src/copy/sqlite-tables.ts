import { existsSync } from 'node:fs'
import { Connection } from '../connection.ts'
import { databaseFile } from '../data-folder.ts'
import { bind, type Gate } from '../executor.ts'
import { lockFolder } from '../folder-lock.ts'
import { olderDatabase, pendingMigrations } from '../migrate.ts'
import { StorageError } from '../storage-error.ts'
import type { UnlockedDatabase } from '../unlocked.ts'
import { type CopiedTable, isOwn, pageSize, type StoredRow, type TablesToFill, type TablesToRead } from './tables.ts'

/** The page cache of the connection, MiB. */
const cacheMb = 64

/**
 * Reads the tables of a folder's database while nobody else uses the folder. The database must be of exactly this version.
 * @throws StorageError NO_DATABASE, FOLDER_LOCKED, DATABASE_NEWER, DATABASE_OLDER
 */
export async function readSqliteTables<Schema, Value>(
  { folder, migrations }: UnlockedDatabase,
  run: (tables: TablesToRead<Schema>) => Promise<Value>,
): Promise<Value> {
  if (!existsSync(databaseFile(folder))) throw new StorageError('NO_DATABASE', `There is no database in ${folder}.`)
  const unlock = lockFolder(folder)
  try {
    const connection = new Connection(databaseFile(folder), { readonly: true, cacheMb })
    try {
      if ((await pendingMigrations(connection, migrations)).length > 0) throw olderDatabase()
      return await run(tablesOf(connection, { open: true }))
    } finally {
      connection.close()
    }
  } finally {
    unlock()
  }
}

/**
 * Fills the tables of a folder's database, in one transaction in which no trigger runs.
 * @param folder with a database of exactly this version, which nobody else uses
 */
export async function fillSqliteTables<Schema, Value>(
  folder: string,
  run: (tables: TablesToFill<Schema>) => Promise<Value>,
): Promise<Value> {
  const connection = new Connection(databaseFile(folder), { readonly: false, cacheMb })
  const gate: Gate = { open: true }
  try {
    connection.exec('begin immediate')
    const triggers = connection.rows<{ name: string; sql: string }>(
      `select name, sql from sqlite_schema where type = 'trigger'`,
    )
    for (const { name } of triggers) connection.exec(`drop trigger ${name}`)
    const value = await run({ ...tablesOf<Schema>(connection, gate), insert: inserter(connection) })
    for (const { sql } of triggers) connection.exec(sql)
    connection.exec('commit')
    connection.exec('analyze')
    connection.pragma('wal_checkpoint(truncate)')
    return value
  } finally {
    gate.open = false
    connection.close()
  }
}

const tablesOf = <Schema>(connection: Connection, gate: Gate): TablesToRead<Schema> => ({
  db: bind<Schema>(connection, gate),
  // The lock of the folder keeps others out.
  refuseServed: async () => {},
  list: async () => listed(connection),
  count: async table => connection.rows<{ count: number }>(`select count(*) as count from ${table}`)[0]!.count,
  async *pages({ name, columns }) {
    yield* connection.pages<StoredRow>(`select ${columns.join(', ')} from ${name}`, pageSize)
  },
})

function listed(connection: Connection): CopiedTable[] {
  const tables = connection.rows<{ name: string }>(
    `select name from pragma_table_list where schema = 'main' and type = 'table' order by name`,
  )
  return tables
    .filter(({ name }) => !isOwn(name))
    .map(({ name }) => ({
      name,
      columns: namesIn(connection, `select name from pragma_table_info('${name}') order by name`),
      references: namesIn(connection, `select distinct "table" as name from pragma_foreign_key_list('${name}')`),
    }))
}

const namesIn = (connection: Connection, sql: string): string[] =>
  connection.rows<{ name: string }>(sql).map(({ name }) => name)

const inserter =
  (connection: Connection) =>
  async ({ name, columns }: CopiedTable, rows: readonly StoredRow[]): Promise<void> => {
    const sql = `insert into ${name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
    for (const row of rows)
      connection.execute(
        sql,
        columns.map(column => row[column]),
      )
  }

import { databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'

/** A column as SQLite describes it. */
interface Column {
  readonly name: string
  readonly type: string
  readonly pk: number
}

/**
 * Fills every table of a folder's database that has a row up to this many rows, with copies of its rows. The copies
 * differ in the last column of each unique index, and may refer to records that do not exist.
 * @returns the tables that stay empty
 */
export function fillTables(folder: string, rows: number): string[] {
  const database = new SqliteDatabase(databaseFile(folder))
  database.pragma('foreign_keys = off')
  const tables = database
    .prepare<[], { name: string }>(
      `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'
        and name not like 'kysely_%' order by name`,
    )
    .all()
    .map(({ name }) => name)
  const empty = database.transaction(() => tables.filter(table => !fill(database, table, rows)))()
  database.close()
  return empty
}

function fill(database: SqliteDatabase.Database, table: string, rows: number): boolean {
  const { count } = database.prepare<[], { count: number }>(`select count(*) as count from "${table}"`).get()!
  if (count === 0) return false
  const columns = database.pragma(`table_info("${table}")`) as Column[]
  const expressions = distinguishingValues(database, table, columns)
  const names = columns.filter(({ name }) => expressions.get(name) !== null).map(({ name }) => `"${name}"`)
  const values = columns
    .filter(({ name }) => expressions.get(name) !== null)
    .map(({ name }) => expressions.get(name) ?? `source."${name}"`)
  database
    .prepare(
      `insert into "${table}" (${names}) with recursive copy (n) as (select 1 union all select n + 1 from copy where n < ?)
        select ${values} from copy, (select * from "${table}" limit 1) as source`,
    )
    .run(Math.max(0, rows - count) || 1)
  return true
}

/** How copies differ, by column; null for a number that SQLite gives. */
function distinguishingValues(
  database: SqliteDatabase.Database,
  table: string,
  columns: readonly Column[],
): Map<string, string | null> {
  const expressions = new Map<string, string | null>()
  const unique = (database.pragma(`index_list("${table}")`) as { name: string; unique: number }[])
    .filter(index => index.unique === 1)
    .map(({ name }) => (database.pragma(`index_info("${name}")`) as { name: string }[]).at(-1)!.name)
  const [onlyKey, ...others] = columns.filter(({ pk }) => pk > 0)
  if (onlyKey?.type.toLowerCase() === 'integer' && others.length === 0) expressions.set(onlyKey.name, null)
  for (const name of unique) {
    const { type } = columns.find(column => column.name === name)!
    expressions.set(
      name,
      type.toLowerCase() === 'text' ? `source."${name}" || '-' || n` : `source."${name}" + 1000000 + n`,
    )
  }
  return expressions
}

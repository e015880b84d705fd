import { execFileSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { databaseFile } from '@specboard/storage'
import { onServer } from '@specboard/storage/testing'
import SqliteDatabase from 'better-sqlite3'
import type { World } from './world.ts'

/** The event-log entry of one write. */
export interface Logged {
  readonly activity: string | null
  // biome-ignore lint/suspicious/noExplicitAny: details of all activities
  readonly details: any
  readonly history: string | null
  // biome-ignore lint/suspicious/noExplicitAny: events of all kinds
  readonly domain: any
}

const parsed = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)

/** The rows of a query on a world's database, for facts that no operation answers. */
export function queried(world: World, sql: string, ...parameters: readonly string[]): Record<string, unknown>[] {
  if (world.databaseUrl !== undefined) return queriedByPsql(world.databaseUrl, sql, parameters)
  return onFile(world, database => database.prepare(sql).all(...parameters) as Record<string, unknown>[])
}

/** Reads the file of a world's database. */
function onFile<Value>(world: World, read: (database: SqliteDatabase.Database) => Value): Value {
  // The library that the service has: another one in this process would take its locks away.
  const database = new SqliteDatabase(databaseFile(world.dataDir), { readonly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

/** The same on PostgreSQL, also synchronous, which its client library is not. */
function queriedByPsql(url: string, sql: string, parameters: readonly string[]): Record<string, unknown>[] {
  const text = `select coalesce(json_agg(found), '[]') from (${bound(sql, parameters)}) found`
  return JSON.parse(
    execFileSync('psql', [url, '--no-psqlrc', '--tuples-only', '--no-align', '--command', text], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    }),
  )
}

/** A statement with its parameters in it. */
function bound(sql: string, parameters: readonly string[]): string {
  const values = [...parameters]
  return sql.replaceAll('?', () => `'${values.shift()!.replaceAll("'", "''")}'`)
}

/**
 * Changes rows by a statement that no operation runs; returns how many. The service shares this thread: a transaction
 * that it keeps open between turns of the event loop can only end if nobody blocks the thread here.
 */
export async function altered(world: World, sql: string, ...parameters: readonly string[]): Promise<number> {
  if (world.databaseUrl !== undefined)
    return (await onServer(world.databaseUrl, `${bound(sql, parameters)} returning 1 as one`)).length
  const database = new SqliteDatabase(databaseFile(world.dataDir), { timeout: 20 })
  try {
    for (let attempt = 1; ; attempt++)
      try {
        return database.prepare(sql).run(...parameters).changes
      } catch (error) {
        if (!isBusy(error) || attempt === 500) throw error
        await setTimeout(20)
      }
  } finally {
    database.close()
  }
}

const isBusy = (error: unknown) => error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY'

/** A table of the database. */
interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

/** The tables of a world's database, with the columns that each has. */
export function tablesOf(world: World): Table[] {
  const sqlite = `select t.name as name, c.name as "column" from sqlite_schema t join pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite_%'`
  const postgres = `select table_name as name, column_name as "column" from information_schema.columns
    where table_schema = 'public'`
  const columns = queried(world, world.databaseUrl === undefined ? sqlite : postgres)
  const byTable = Map.groupBy(columns, ({ name }) => String(name))
  return [...byTable].map(([name, found]) => ({ name, columns: found.map(({ column }) => String(column)) }))
}

/** All rows of tables, over one connection: each reads the schema first; psql reads them in one query. */
export function rowsOf(world: World, tables: readonly string[]): Map<string, Record<string, unknown>[]> {
  if (world.databaseUrl === undefined)
    return onFile(world, database => new Map(tables.map(name => [name, allRows(database, name)])))
  const each = tables.map(name => `select '${name}' as name, (select json_agg(r) from "${name}" r) as rows`)
  const found = queried(world, each.join(' union all '))
  return new Map(found.map(({ name, rows }) => [String(name), (rows ?? []) as Record<string, unknown>[]]))
}

const allRows = (database: SqliteDatabase.Database, table: string) =>
  database.prepare(`select * from "${table}"`).all() as Record<string, unknown>[]

/** A record's entries in the event log, oldest first; no operation lists activity and domain events of all records. */
export const logged = (world: World, entityId: string): Logged[] =>
  queried(
    world,
    'select action, history_action, details, domain from events where entity_id = ? order by seq',
    entityId,
  ).map(row => ({
    activity: row.action as string | null,
    details: parsed(row.details),
    history: row.history_action as string | null,
    domain: parsed(row.domain),
  }))

/** The service's audit of a target: who did what, and the names of the changed fields, oldest first. */
export const audited = (world: World, targetId: string): Record<string, unknown>[] =>
  queried(
    world,
    'select actor_id, actor_name, action, fields from audit where target_id = ? order by id',
    targetId,
  ).map(row => ({ ...row, fields: parsed(row.fields) }))

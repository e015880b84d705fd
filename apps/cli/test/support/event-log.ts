import { execFileSync } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { databaseFile } from '@specboard/storage'
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
  const database = new DatabaseSync(databaseFile(world.folder), { readOnly: true })
  try {
    return database.prepare(sql).all(...parameters)
  } finally {
    database.close()
  }
}

/** The same on PostgreSQL, at once as well: its client answers later only. */
function queriedByPsql(url: string, sql: string, parameters: readonly string[]): Record<string, unknown>[] {
  const values = [...parameters]
  const bound = sql.replaceAll('?', () => `'${values.shift()!.replaceAll("'", "''")}'`)
  const text = `select coalesce(json_agg(found), '[]') from (${bound}) found`
  return JSON.parse(
    execFileSync('psql', [url, '--no-psqlrc', '--tuples-only', '--no-align', '--command', text], { encoding: 'utf8' }),
  )
}

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

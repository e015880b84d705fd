import { DatabaseSync } from 'node:sqlite'
import { databaseFile } from '@specboard/domain'
import type { World } from './world.ts'

/** What one write left in the event log. */
export interface Logged {
  readonly activity: string | null
  // biome-ignore lint/suspicious/noExplicitAny: details of all activities
  readonly details: any
  readonly history: string | null
  // biome-ignore lint/suspicious/noExplicitAny: events of all kinds
  readonly domain: any
}

const parsed = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)

/** What writes left of a record in the event log, oldest first; no operation lists activity and domain events of all records. */
export function logged(world: World, entityId: string): Logged[] {
  const database = new DatabaseSync(databaseFile(world.folder), { readOnly: true })
  try {
    return database
      .prepare('select action, history_action, details, domain from events where entity_id = ? order by seq')
      .all(entityId)
      .map(row => ({
        activity: row.action as string | null,
        details: parsed(row.details),
        history: row.history_action as string | null,
        domain: parsed(row.domain),
      }))
  } finally {
    database.close()
  }
}

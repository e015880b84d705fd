import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { handleStem } from '../../lib/handle.ts'
import { freeKey } from '../../lib/reference.ts'

/** What the migration decided that an operator should know. */
export const note =
  'custom presets lack PEOPLE_READ, PEOPLE_INVITE, PEOPLE_MANAGE and CONNECTIONS_MANAGE; update those that should have them'

/** The statements that both databases take. */
export const texts = [
  `alter table agents add column handle text`,
  `alter table agents add column email text`,
  `create index agents_kind on agents (kind, id)`,
]

/** Handles of principals, and addresses of persons (people 1.1). */
export const migration: Migration = {
  up: async db => {
    for (const text of texts) await sql.raw(text).execute(db)
    await giveHandles(db)
  },
}

/** Derives the handles of those who exist, in the order of their creation; a deleted one has none. */
export async function giveHandles(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from agents where deleted_at is null
    order by created_at, id`.execute(db)
  const taken = new Set<string>()
  for (const { id, name } of rows) {
    const handle = freeKey(handleStem(name), taken)
    taken.add(handle)
    await sql`update agents set handle = ${handle} where id = ${id}`.execute(db)
  }
  await sql.raw('create index agents_handle on agents (handle)').execute(db)
}

import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The statements that both databases take. */
export const texts = [`alter table cards add column checkpoint text`]

/** Checkpoints of cards (crew 5.4). */
export const migration: Migration = {
  up: async db => {
    for (const text of texts) await sql.raw(text).execute(db)
    await notesAsCheckpoints(db)
  },
}

/** Makes the note of each claim the checkpoint of its card (crew 12). */
export async function notesAsCheckpoints(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    card_id: string
    note: string
    agent_id: string
    agent_name: string
    renewed_at: string
  }>`select k.card_id, k.note, k.agent_id, a.name as agent_name, k.renewed_at
    from claims k join agents a on a.id = k.agent_id where k.note is not null and k.note <> ''`.execute(db)
  for (const { card_id, note, agent_id, agent_name, renewed_at } of rows) {
    const checkpoint = JSON.stringify({ text: note, data: null, agent_id, agent_name, at: renewed_at })
    await sql`update cards set checkpoint = ${checkpoint} where id = ${card_id}`.execute(db)
  }
}

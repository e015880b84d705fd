import { type DatabasePlace, writeWithoutLock } from '@specboard/domain'

const dayMs = 86_400_000

/** A time set back by some days. */
const earlier = (time: string, days: number): string => new Date(Date.parse(time) - days * dayMs).toISOString()

/** A number that looks random for an id, the same each time. */
const pseudoRandom = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(-6), 16)

/** Days since a record was created (40 to 99), and since it last moved (up to 29). */
const ageDays = (id: string) => 40 + (pseudoRandom(id) % 60)
const idleDays = (id: string) => pseudoRandom(id) % 30

/**
 * Spreads what happened on the boards of a database over the last hundred days, which no call can do: a board that was
 * created within a minute has no cycle times.
 */
export const backdate = (place: string | DatabasePlace): Promise<void> =>
  writeWithoutLock(place, async db => {
    const moves = await db
      .selectFrom('events')
      .select(['id', 'entity_id', 'created_at'])
      .where('history_action', '=', 'status_changed')
      .orderBy('position')
      .execute()
    const last = new Map(moves.map(({ entity_id, id }) => [entity_id, id]))
    for (const { id, entity_id, created_at } of moves) {
      const days = idleDays(entity_id) + (last.get(entity_id) === id ? 0 : 5)
      await db
        .updateTable('events')
        .set({ created_at: earlier(created_at, days) })
        .where('id', '=', id)
        .execute()
    }
    for (const table of ['ideations', 'refinements', 'specs', 'sprints'] as const)
      for (const { id, created_at } of await db.selectFrom(table).select(['id', 'created_at']).execute())
        await db
          .updateTable(table)
          .set({ created_at: earlier(created_at, ageDays(id)) })
          .where('id', '=', id)
          .execute()
    // What was imported came before anything that was done here.
    const imported = await db.selectFrom('external_ids').select('imported_at').distinct().execute()
    for (const { imported_at } of imported)
      await db
        .updateTable('external_ids')
        .set({ imported_at: earlier(imported_at, 100) })
        .where('imported_at', '=', imported_at)
        .execute()
    const validations = await db.selectFrom('task_validations').select(['id', 'card_id', 'created_at']).execute()
    for (const { id, card_id, created_at } of validations)
      await db
        .updateTable('task_validations')
        .set({ created_at: earlier(created_at, idleDays(card_id)) })
        .where('id', '=', id)
        .execute()
    const cards = await db.selectFrom('cards').select(['id', 'created_at', 'updated_at', 'moved_at']).execute()
    for (const { id, created_at, updated_at, moved_at } of cards)
      await db
        .updateTable('cards')
        .set({
          created_at: earlier(created_at, ageDays(id)),
          updated_at: earlier(updated_at, idleDays(id)),
          moved_at: earlier(moved_at, idleDays(id)),
        })
        .where('id', '=', id)
        .execute()
  })

import type { features } from '@specboard/contract'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Implementation } from '../implement.ts'
import { dialect } from '../storage/dialect.ts'
import { hot } from '../storage/hot.ts'
import type { SeenMarksTable } from '../storage/schema.ts'
import { readCardOf } from './store.ts'

type Cards = typeof features.cards

const insertMarks = hot<{ ids: string; card: string; agent: string; name: string; now: string }, never>(
  (db, param) => ({
    compile: () =>
      sql<never>`insert into seen_marks (item_id, card_id, agent_id, agent_name, seen_at)
        select item.value, ${param('card')}, ${param('agent')}, ${param('name')}, ${param('now')}
        from ${dialect.jsonElements(sql`${param('ids')}`)} as item
        where exists (select 1 from comments c where c.id = item.value and c.card_id = ${param('card')})
          or exists (select 1 from questions q where q.id = item.value and q.owner_id = ${param('card')})
        on conflict do nothing`.compile(db),
  }),
)

/** Marks comments and questions of a card as seen by the caller; the first time counts (cards 12). */
export async function markSeen(ctx: Context, cardId: string, itemIds: readonly string[]): Promise<void> {
  const { id, name } = ctx.caller
  await insertMarks(ctx.db, { ids: JSON.stringify(itemIds), card: cardId, agent: id, name, now: ctx.now() })
}

/** Takes the marks of an item that is deleted with it. */
export const forgetMarks = hot<{ item: string }, never>(
  (db, param) => db.deleteFrom('seen_marks').where('item_id', '=', param('item')) as never,
)

/** A card; what of it the caller had not seen is marked, which alone takes a write. */
export const getCard: Implementation<Cards['get_card']> = async ({ params }, ctx) => {
  const { card, seen } = await readCardOf(ctx.db, params.card_id, ctx.access, ctx.caller.id)
  const unseen = [...card.comments, ...card.qa_items].map(item => item.id).filter(id => !seen.has(id))
  if (unseen.length > 0) ctx.following.push(later => markSeen(later, card.id, unseen))
  return card
}

const marksOf = hot<{ card: string }, SeenMarksTable>((db, param) =>
  db.selectFrom('seen_marks').selectAll().where('card_id', '=', param('card')).orderBy('seen_at').orderBy('agent_id'),
)

export const getCardSeen: Implementation<Cards['get_card_seen']> = async ({ params }, ctx) => {
  const marks = await marksOf(ctx.db, { card: params.card_id })
  const byItem = Map.groupBy(marks, mark => mark.item_id)
  const seenBy = [...byItem].map(([item, seen]) => [
    item,
    seen.map(({ agent_id, agent_name, seen_at }) => ({ agent_id, agent_name, seen_at })),
  ])
  return { items: Object.fromEntries(seenBy) }
}

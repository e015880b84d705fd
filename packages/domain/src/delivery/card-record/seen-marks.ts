import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { SeenMarksTable } from '../../schema/tables.ts'

const insertMarks = hot<{ ids: string; card: string; board: string; agent: string; name: string; now: string }, never>(
  (_, param) =>
    sql<never>`insert into seen_marks (item_id, card_id, agent_id, agent_name, seen_at)
        select item.value, ${param('card')}, ${param('agent')}, ${param('name')}, ${param('now')}
        from ${dialect.jsonElements(sql`${param('ids')}`)} as item
        where exists (select 1 from comments c
            where c.id = item.value and c.card_id = ${param('card')} and ${onBoard('c', param('board'))})
          or exists (select 1 from questions q
            where q.id = item.value and q.owner_id = ${param('card')} and ${onBoard('q', param('board'))})
        on conflict do nothing`,
)

/** Marks comments and questions of a card as seen by the caller; existing marks keep their time (cards 12). */
export async function markSeen(ctx: Context, cardId: string, itemIds: readonly string[]): Promise<void> {
  const { id, name } = ctx.caller
  await insertMarks(ctx.db, {
    ids: JSON.stringify(itemIds),
    card: cardId,
    board: ctx.boardId,
    agent: id,
    name,
    now: ctx.now(),
  })
}

/** Deletes the marks of a deleted item. */
export const forgetMarks = hot<{ item: string }, never>((db, param) =>
  db.deleteFrom('seen_marks').where('item_id', '=', param('item')),
)

/** The marks of a card, oldest first. */
export const marksOf = hot<{ card: string }, SeenMarksTable>((db, param) =>
  db.selectFrom('seen_marks').selectAll().where('card_id', '=', param('card')).orderBy('seen_at').orderBy('agent_id'),
)

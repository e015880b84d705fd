import type { features } from '@specboard/contract'
import type { NotNull } from 'kysely'
import type { Implementation } from '../../kernel/implement.ts'
import { paged, window } from '../../kernel/page.ts'
import { refsOf } from '../../kernel/references.ts'
import { parseNullable } from '../../lib/json.ts'
import { hot } from '../../schema/hot.ts'
import type { EventsTable } from '../../schema/tables.ts'

type EntryRow = Pick<
  EventsTable,
  'id' | 'board_id' | 'card_id' | 'actor_id' | 'actor_name' | 'details' | 'created_at'
> & {
  action: string
}

const entriesOf = hot<{ card: string; limit: number; offset: number }, EntryRow>((db, param) =>
  db
    .selectFrom('events')
    .select(['id', 'board_id', 'card_id', 'action', 'actor_id', 'actor_name', 'details', 'created_at'])
    .where('card_id', '=', param('card'))
    .where('action', 'is not', null)
    .$narrowType<{ action: NotNull }>()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit'))
    .offset(param('offset')),
)

const countOf = hot<{ card: string }, { count: number }>((db, param) =>
  db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('card_id', '=', param('card'))
    .where('action', 'is not', null),
)

/** The activity of a card, newest first. It is read from the event log, so it outlives the card (cards 13). */
export const listCardActivity: Implementation<(typeof features.cards)['list_card_activity']> = async (
  { params, query },
  ctx,
) => {
  const refs = await refsOf(ctx.db, [params.card_id])
  return paged(
    await entriesOf(ctx.db, { card: params.card_id, ...window(query) }),
    query,
    async () => (await countOf(ctx.db, { card: params.card_id }))[0]!.count,
    ({ details, ...row }) => ({
      ...row,
      ref: refs.get(params.card_id) ?? null,
      actor_type: 'agent' as const,
      details: parseNullable(details),
    }),
  )
}

import type { features } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type NotNull, type Selectable, sql } from 'kysely'
import { unreadableActions } from '../../kernel/change-actions.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { paged, window } from '../../kernel/page.ts'
import { refsOn } from '../../kernel/references.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { parseJson, parseNullable } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Change } from '../../schema/contents.ts'
import { hot } from '../../schema/hot.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { EventsTable } from '../../schema/tables.ts'

type EntryRow = Pick<
  Selectable<EventsTable>,
  | 'id'
  | 'board_id'
  | 'card_id'
  | 'actor_id'
  | 'actor_name'
  | 'actor_type'
  | 'actor_via'
  | 'changes'
  | 'details'
  | 'created_at'
> & { readonly action: string; readonly imported: Flag }

interface ActivityParameters {
  board: string
  card: string
  /** JSON of the actions that are hidden from the reader. */
  hidden: string
}

const entriesOf = hot<ActivityParameters & { limit: number; offset: number }, EntryRow>((db, param) =>
  db
    .selectFrom('events')
    .select([
      'id',
      'board_id',
      'card_id',
      'action',
      'actor_id',
      'actor_name',
      'actor_type',
      'actor_via',
      'changes',
      'details',
      'created_at',
      'imported',
    ])
    .where('card_id', '=', param('card'))
    .where(onBoard('events', param('board')))
    .where('action', 'is not', null)
    .where(({ not, ref }) => not(dialect.inList(ref('action'), sql<string>`${param('hidden')}`)))
    .$narrowType<{ action: NotNull }>()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit'))
    .offset(param('offset')),
)

const countOf = hot<ActivityParameters, { count: number }>((db, param) =>
  db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('card_id', '=', param('card'))
    .where(onBoard('events', param('board')))
    .where('action', 'is not', null)
    .where(({ not, ref }) => not(dialect.inList(ref('action'), sql<string>`${param('hidden')}`))),
)

/** A change with long texts truncated (cards 13). */
const truncated = (change: Change): Change => ({ ...change, old: shortened(change.old), new: shortened(change.new) })

/** A value with all texts at any depth truncated to 200 characters. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return excerpt(value, 200)
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]))
}

/** The activity of a card, newest first. It is read from the event log, so it outlives the card (cards 13). */
export const listCardActivity: Implementation<(typeof features.cards)['list_card_activity']> = async (
  { params, query },
  ctx,
) => {
  const refs = await refsOn(ctx.db, ctx.boardId, [params.card_id])
  const filter = { card: params.card_id, board: ctx.boardId, hidden: JSON.stringify(unreadableActions(ctx.access)) }
  return paged(
    await entriesOf(ctx.db, { ...filter, ...window(query) }),
    query,
    async () => (await countOf(ctx.db, filter))[0]!.count,
    ({ changes, details, imported, ...row }) => ({
      ...row,
      ref: refs.get(params.card_id) ?? null,
      details:
        changes === null
          ? parseNullable(details)
          : { ...parseNullable(details), changes: parseJson(changes).map(truncated) },
      ...(imported === 1 && { imported: true as const }),
    }),
  )
}

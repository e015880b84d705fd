import { dialect, type Param } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { CardsTable } from '../../schema/tables.ts'
import { type CardFilter, type CardQuery, filterOf, matchesFilter, waits } from '../cards/list/filters.ts'
import { byPlace, placeOf, type SortKey } from '../cards/list/ready.ts'
import { usedUp } from '../claims/attempts.ts'
import type { CarryTests } from './carried.ts'

/** Why a card is offered (crew 4.5). */
export type OfferReason = 'yours' | 'rework' | 'begun' | 'ready'

/** A card that is offered, with the reason. */
export interface Offer extends SortKey {
  readonly why: OfferReason
}

interface Parameters extends CardFilter {
  board: string
  agent: string
  now: string
}

type Row = Pick<
  CardsTable,
  'id' | 'priority' | 'due_date' | 'position' | 'created_at' | 'card_type' | 'spec_id' | 'sprint_id'
> & {
  status: 'started' | 'in_progress'
  why: 'yours' | 'rework' | 'begun' | null
  former: 0 | 1
}

const live = (param: Param<Parameters>) =>
  sql`select k.agent_id from claims k where k.card_id = c.id and ${sameBoard('k', 'c')} and k.expires_at > ${param('now')}`

/** Why a started card `c` is offered to the agent; null if it is not. */
const why = (param: Param<Parameters>) => sql`case
  when ${param('agent')} in (${live(param)}) then 'yours'
  when exists (${live(param)}) or ${usedUp(param('now'))} then null
  when c.reserved_until > ${param('now')} then case when c.reserved_for = ${param('agent')} then 'rework' end
  when ${waits} then null
  else 'begun' end`

/** Whether the agent was the last to work on a card `c`. */
const former = (
  param: Param<Parameters>,
) => sql`case when c.moved_by = ${param('agent')} or c.reserved_for = ${param('agent')}
  or exists (select 1 from claims k where k.card_id = c.id and ${sameBoard('k', 'c')} and k.agent_id = ${param('agent')}) then 1 else 0 end`

const begunCards = (param: Param<Parameters>) =>
  sql<Row>`select c.id, c.priority, c.due_date, c.position, c.created_at, c.card_type, c.spec_id, c.sprint_id, c.status,
      ${why(param)} as why, ${former(param)} as former
    from cards c where c.board_id = ${param('board')} and c.archived = 0 and c.status in ('started', 'in_progress')
      and ${matchesFilter(param)}`

const onBoard = hot<Parameters, Row>((_, param) => begunCards(param))

const among = hot<Parameters & { ids: string }, Row>(
  (_, param) => sql<Row>`${begunCards(param)} and ${dialect.inList(sql.ref('c.id'), sql<string>`${param('ids')}`)}`,
)

const parametersOf = (ctx: Context, query: CardQuery): Parameters => ({
  ...filterOf(query, ctx),
  board: ctx.boardId,
  agent: ctx.caller.id,
  now: ctx.now(),
})

const order = { yours: 0, rework: 1, begun: 2 } as const

/** A started card on offer, before it is ranked. */
export interface StartedCard extends Row {
  why: NonNullable<Row['why']>
}

/** The started cards that are offered to the caller, in no order: of the unclaimed ones, those that it may carry on. */
export async function readBegun(ctx: Context, query: CardQuery, carried: CarryTests): Promise<readonly StartedCard[]> {
  const rows = await onBoard(ctx.db, parametersOf(ctx, query))
  return rows.filter(
    (row): row is StartedCard => row.why !== null && (row.why !== 'begun' || carried[row.status]?.(row) !== false),
  )
}

/**
 * Started cards in the order in which they are offered: those that the caller holds, those reserved for it, and
 * unclaimed ones, its own former ones first (crew 4.5).
 * @param unblocks how many cards a card holds up
 */
export const inOfferedOrder = (rows: readonly StartedCard[], unblocks: (card: string) => number): readonly Offer[] =>
  rows
    .map(row => ({ ...placeOf(row, unblocks(row.id)), why: row.why, former: row.former }))
    .sort((a, b) => order[a.why] - order[b.why] || (a.why === 'begun' ? b.former - a.former : 0) || byPlace(a, b))

/** The cards among these that are started and offered to the caller now. */
export async function begunAmong(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await among(ctx.db, { ...parametersOf(ctx, {}), ids: JSON.stringify(ids) })
  return new Set(rows.flatMap(row => (row.why === null ? [] : [row.id])))
}

const exhausted = hot<{ board: string; now: string }, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`select c.id from cards c where c.board_id = ${param('board')} and c.archived = 0
      and c.status = 'not_started' and (c.failed_attempts > 0 or c.lost_attempts > 0) and ${usedUp(param('now'))}`,
)

/** The cards of a board that could be started, but have no attempt left (crew 4.6). */
export const exhaustedOn = async (ctx: Context): Promise<string[]> =>
  (await exhausted(ctx.db, { board: ctx.boardId, now: ctx.now() })).map(({ id }) => id)

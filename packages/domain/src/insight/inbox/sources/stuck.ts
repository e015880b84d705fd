import { CardStatus } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Status } from '../../../delivery/card-record/record.ts'
import { awaitedByCard, isOpen } from '../../../delivery/cards/list/filters.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { parseJson } from '../../../lib/json.ts'
import { rankLeft } from '../../../planning/review/card-ranks.ts'
import { hot } from '../../../schema/hot.ts'
import { refOf, type WithReference } from '../../../schema/refs.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { CardsTable, Schema } from '../../../schema/tables.ts'
import { stuckAfterMs, type WaitingItem } from '../rules.ts'
import { foundColumns, idsOf, isAsked, onBoards, type Selection, type Source, sourcesOf } from '../source.ts'
import { isCaller, membersOn, responsibleOf } from './keepers.ts'

/** Whether the caller may move a card out of a status. */
const mayMoveFrom = (access: Access, status: Status): boolean =>
  CardStatus.options.some(
    target_status =>
      target_status !== status && mayCall(access, { operation: 'move_card', status, body: { target_status } }),
  )

/** The time before which a card must have been put on hold to be stuck now. */
const heldBefore = ({ environment }: Context): string => new Date(environment.clock() - stuckAfterMs).toISOString()

/** A card on hold, with the agents that may be responsible for it. */
type HeldCard = WaitingItem & Pick<CardsTable, 'assignee_id' | 'created_by' | 'moved_by'>

const heldCards = hot<{ boards: string }, HeldCard>(
  (_, param) =>
    sql<HeldCard>`select ${foundColumns('c', { source: 'c.id', record: 'c.id', since: sql`c.moved_at` })},
        c.assignee_id, c.created_by, c.moved_by
      from cards c where ${onBoards('c', param('boards'))} and c.status = 'on_hold' and c.archived = 0`,
)

/**
 * Cards on hold: at once for whoever is responsible, otherwise for whoever parked them; after a day for whoever may
 * move them (crew 4.2).
 */
async function heldFor(ctx: Context, boards: readonly Access[]): Promise<readonly WaitingItem[]> {
  const before = heldBefore(ctx)
  const found: WaitingItem[] = []
  for (const { assignee_id, created_by, moved_by, ...card } of await heldCards(ctx.db, { boards: idsOf(boards) })) {
    const isLong = card.since < before
    const movers = isLong
      ? []
      : (await membersOn(ctx, card.board)).filter(({ access }) => mayMoveFrom(access, 'on_hold'))
    if (isLong || isCaller(ctx, responsibleOf(movers, [assignee_id, created_by, moved_by]))) found.push(card)
  }
  return found
}

const firstHeld = hot<{ boards: string; before: string }, { at: string | null }>(
  (_, param) =>
    sql<{ at: string | null }>`select min(c.moved_at) as at from cards c
      where ${onBoards('c', param('boards'))} and c.status = 'on_hold' and c.archived = 0
        and c.moved_at >= ${param('before')}`,
)

/** When the first link to an open card was made. */
const waitingSince: RawBuilder<string> = sql<string>`(select min(d.created_at) ${awaitedByCard})`

/** Stuck since the later of two times: when work on the card began, and when it was made to wait. */
const waitingIn = (status: Status) =>
  hot<{ boards: string }, WaitingItem>(
    (_, param) =>
      sql<WaitingItem>`select ${foundColumns('c', {
        source: 'c.id',
        record: 'c.id',
        since: sql`case when ${waitingSince} > c.moved_at then ${waitingSince} else c.moved_at end`,
      })} from cards c
      where ${onBoards('c', param('boards'))} and c.status = ${sql.lit(status)} and c.archived = 0
        and exists (select 1 ${awaitedByCard})`,
  )

/** The statuses of a card that was started and is not finished. */
const startedStatuses = CardStatus.options.filter(status => rankLeft[status] > 0 && rankLeft[status] < rankLeft.done)

type StuckCard = Pick<CardsTable, 'id' | 'status' | 'moved_by'> & { waits_for: Json<AwaitedCard[]> }

type AwaitedCard = Pick<CardsTable, 'id' | 'title' | 'status'> & WithReference

/** The open cards that a card waits for, as one JSON column. */
const withAwaited = dialect.jsonArrayFrom(
  expressionBuilder<Schema>()
    .selectFrom('card_dependencies as d')
    .innerJoin('cards as awaited', 'awaited.id', 'd.depends_on_id')
    .where(sameBoard('awaited', 'd'))
    .select(['awaited.id', refOf('awaited').as('ref'), 'awaited.title', 'awaited.status'])
    .where('d.card_id', '=', sql.ref<string>('c.id'))
    .where(sameBoard('d', 'c'))
    .where(isOpen('awaited'))
    .orderBy('d.created_at')
    .orderBy('d.id'),
)

const byIds = hot<Selection, StuckCard>(
  (_, param) =>
    sql<StuckCard>`select c.id, c.status, c.moved_by, ${withAwaited} as waits_for
      from cards c where ${isAsked('c', param)}`,
)

/** Cards that do not move: they stay on hold, or were started and wait for another (board 1). */
function stuckIn(status: Status, { find, nextAt }: Pick<Source, 'find' | 'nextAt'>): Source {
  return {
    kind: 'card_stuck',
    about: 'card',
    isOpen: access => access.allows('CARDS_READ') && mayMoveFrom(access, status),
    find,
    ...(nextAt && { nextAt }),
    show: async (ctx, page) => {
      const rows = await byIds(ctx.db, sourcesOf(page))
      return new Map(
        rows.map(row => [
          row.id,
          {
            actor_id: row.moved_by,
            data: {
              reason: row.status === 'on_hold' ? 'on_hold' : 'dependencies',
              waits_for: parseJson(row.waits_for),
            },
            operation: 'get_allowed_moves',
            arguments: { entity_type: 'card', entity_id: row.id },
          },
        ]),
      )
    },
  }
}

const onHold = stuckIn('on_hold', {
  find: heldFor,
  nextAt: async (ctx, boards) => {
    const [first] = await firstHeld(ctx.db, { boards: idsOf(boards), before: heldBefore(ctx) })
    const at = first?.at ?? null
    return at === null ? null : new Date(Date.parse(at) + stuckAfterMs + 1).toISOString()
  },
})

const waiting = startedStatuses.map(status => {
  const find = waitingIn(status)
  return stuckIn(status, { find: (ctx, boards) => find(ctx.db, { boards: idsOf(boards) }) })
})

/** Cards that are stuck, by their status. */
export const stuckCards: readonly Source[] = [onHold, ...waiting]

import { CardStatus } from '@specboard/contract'
import { sql } from 'kysely'
import { usedUp } from '../../../delivery/claims/attempts.ts'
import { type Stage, stageOf, unclaimableIn } from '../../../delivery/claims/rules.ts'
import { type CarryTests, carriersOn } from '../../../delivery/work/carried.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { hot } from '../../../schema/hot.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { CardsTable, ClaimsTable } from '../../../schema/tables.ts'
import type { WaitingItem } from '../rules.ts'
import { foundColumns, idsOf, isAsked, onBoards, type Selection, type Source, sourcesOf } from '../source.ts'

/** The statuses of a card that is still in the stage of a claim. */
const statusesOf = (stage: Stage) =>
  sql.join(
    CardStatus.options.filter(status => unclaimableIn(status) === null && stageOf(status) === stage).map(sql.lit),
  )

type ExpiredClaim = WaitingItem & Pick<CardsTable, 'status' | 'card_type' | 'spec_id' | 'sprint_id'>

const expired = hot<{ boards: string; now: string }, ExpiredClaim>(
  (_, param) =>
    sql<ExpiredClaim>`select ${foundColumns('k', { source: 'k.card_id', record: 'k.card_id', since: sql`k.expires_at` })},
        c.status, c.card_type, c.spec_id, c.sprint_id
      from claims k join cards c on c.id = k.card_id and ${sameBoard('c', 'k')}
      where ${onBoards('k', param('boards'))} and k.expires_at <= ${param('now')} and c.archived = 0
        and (k.stage = 'work' and c.status in (${statusesOf('work')})
          or k.stage = 'validation' and c.status in (${statusesOf('validation')}))`,
)

/** The cards in work, among some, that have no attempts left. */
const outOfAttempts = hot<Selection & { now: string }, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`select c.id from cards c where ${isAsked('c', param)}
      and c.status <> 'validation' and ${usedUp(param('now'))}`,
)

const nextEnd = hot<{ boards: string; now: string }, { at: string | null }>(
  (_, param) =>
    sql<{ at: string | null }>`select min(k.expires_at) as at from claims k
      where ${onBoards('k', param('boards'))} and k.expires_at > ${param('now')}`,
)

const byCards = hot<Selection, ClaimsTable>((db, param) =>
  db
    .selectFrom('claims')
    .selectAll()
    .where(isAsked('claims', param, 'card_id')),
)

/** The cards among some that an agent may carry on, or validate if they are in `validation`. */
async function takeable(
  ctx: Context,
  cards: readonly ExpiredClaim[],
  boards: readonly Access[],
): Promise<readonly WaitingItem[]> {
  const on = new Map(boards.map(access => [access.way!.boardId, access]))
  const carried = new Map<string, CarryTests>()
  const found: WaitingItem[] = []
  for (const card of cards) {
    const access = on.get(card.board)!
    if (card.status === 'validation') {
      if (mayCall(access, { operation: 'submit_task_validation', status: 'validation' })) found.push(card)
      continue
    }
    const tests = carried.get(card.board) ?? (await carriersOn(ctx.db, card.board)(access))
    carried.set(card.board, tests)
    if (tests[card.status as keyof CarryTests]?.(card) !== false) found.push(card)
  }
  return withAttemptLeft(ctx, found, on)
}

/** The found items, without the cards that the caller may not claim because they have no attempts left (crew 4.6). */
async function withAttemptLeft(
  ctx: Context,
  found: readonly WaitingItem[],
  on: ReadonlyMap<string, Access>,
): Promise<readonly WaitingItem[]> {
  const bound = found.filter(({ board }) => !on.get(board)!.allows('BOARDS_UPDATE'))
  if (bound.length === 0) return found
  const rows = await outOfAttempts(ctx.db, { ...sourcesOf(bound), now: ctx.now() })
  const over = new Set(rows.map(({ id }) => id))
  return found.filter(({ source }) => !over.has(source))
}

/** Claims that expired while their card was still in their stage (work 3). */
export const expiredClaims: Source = {
  kind: 'claim_expired',
  about: 'card',
  isOpen: access =>
    access.allows('CARDS_READ') &&
    access.allows('CARDS_MOVE_IN_PROGRESS') &&
    mayCall(access, { operation: 'claim_card' }),
  find: async (ctx, boards) => takeable(ctx, await expired(ctx.db, { boards: idsOf(boards), now: ctx.now() }), boards),
  nextAt: async (ctx, boards) => (await nextEnd(ctx.db, { boards: idsOf(boards), now: ctx.now() }))[0]?.at ?? null,
  show: async (ctx, page) => {
    const rows = await byCards(ctx.db, sourcesOf(page))
    return new Map(
      rows.map(({ card_id, agent_id, stage, note, claimed_at, expires_at }) => [
        card_id,
        {
          actor_id: agent_id,
          data: { stage, note, claimed_at, expires_at },
          operation: 'claim_card',
          arguments: { card_id },
        },
      ]),
    )
  },
}

import type { features } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { Implementation } from '../../kernel/implement.ts'
import { oneOf } from '../../kernel/one-of.ts'
import type { Db } from '../../schema/database.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { type CardScope, scopeReader } from './card-scope.ts'
import { type Move, type MovedCard, type StatusCounts, type StillCards, statusesAt } from './flow.ts'
import { dateOf, rangeOf, velocityWindow, type Window, windowBounds } from './periods.ts'

/**
 * When a card came to its board: at its import (regardless of the times in the file), otherwise at its creation
 * (insight B.16).
 */
export const enteredBoardAt = (alias: string): RawBuilder<string> => sql`coalesce(
  (select min(x.imported_at) from external_ids x where x.entity_id = ${sql.ref(`${alias}.id`)} and ${sameBoard('x', alias)}),
  ${sql.ref(`${alias}.created_at`)})`

interface Since {
  readonly from: string
}

const stillCards = scopeReader<Since, StillCards>(
  (cards, param) => sql<StillCards>`select came.status, came.day, count(*) as cards from (
      select c.status, case when ${enteredBoardAt('c')} < ${param('from')} then '' else substr(${enteredBoardAt('c')}, 1, 10) end as day
      from cards c where ${cards} and c.moved_at < ${param('from')}) came
    group by came.status, came.day`,
)

const movedCards = scopeReader<Since, MovedCard>(
  (cards, param) => sql<MovedCard>`select c.id, c.status, ${enteredBoardAt('c')} as came_at
    from cards c where ${cards} and c.moved_at >= ${param('from')}`,
)

const detail = (member: string) => dialect.jsonText(sql.ref<string | null>('e.details'), member)

const movesSince = scopeReader<Since, Move>(
  (cards, param) => sql<Move>`select c.id as card_id, e.created_at as at, ${detail('from_status')} as from_status,
      ${detail('to_status')} as to_status
    from cards c join events e on e.card_id = c.id and ${sameBoard('e', 'c')} and e.action = 'card_moved'
      and e.created_at >= ${param('from')}
    where ${cards} and c.moved_at >= ${param('from')}`,
)

/** The last moment of each period of a window. */
const endsOf = ({ starts, to }: Window): string[] =>
  starts.map((_, index) => new Date(starts[index + 1] === undefined ? to : starts[index + 1]! - 1).toISOString())

/** How many cards of a scope had each status at the end of each period of a window (insight B.16). */
async function readFlow(db: Db, scope: CardScope, window: Window): Promise<StatusCounts[]> {
  const since = { from: windowBounds(window).from }
  const still = await stillCards(db, scope, since)
  const moved = await movedCards(db, scope, since)
  return statusesAt(endsOf(window), still, moved, await movesSince(db, scope, since))
}

/** get_flow_analytics (insight B.16). */
export const flowAnalytics: Implementation<(typeof features.analytics)['get_flow_analytics']> = async (
  { query },
  ctx,
) => {
  const granularity = oneOf('granularity', ['week', 'day'], query.granularity)
  const window = velocityWindow(granularity, rangeOf(query), Date.parse(ctx.now()))
  const scope = { board: ctx.boardId, spec: query.spec_id, sprint: query.sprint_id }
  const counts = await readFlow(ctx.db, scope, window)
  return {
    board_id: ctx.boardId,
    from_date: dateOf(window.from),
    to_date: dateOf(window.to),
    granularity,
    buckets: counts.map((cards, index) => {
      const begins = dateOf(window.starts[index]!)
      return granularity === 'week' ? { week: begins, ...cards } : { day: begins, ...cards }
    }),
  }
}

import type { features } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { ExplicitAnswer, type Implementation } from '../../kernel/implement.ts'
import type { Db } from '../../schema/database.ts'
import { refOf } from '../../schema/refs.ts'
import { type CardScope, scopeReader } from './card-scope.ts'
import type { CardFact } from './facts.ts'
import { isDoneHere } from './imported.ts'
import { hoursBetween, mean, oneDecimal, percentile } from './measures.ts'
import { dateOf, rangeOf, velocityWindow, windowBounds } from './periods.ts'

interface Bounds {
  readonly from: string
  readonly to: string
}

interface Cycle {
  readonly milliseconds: number
}

const doneWithin = (cards: unknown, param: (name: keyof Bounds) => unknown) => sql`${cards} and ${isDoneHere('c')}
  and c.moved_at >= ${param('from')} and c.moved_at <= ${param('to')}`

const cycles = scopeReader<Bounds, Cycle>(
  (cards, param) =>
    sql<Cycle>`select ${dialect.millisecondsBetween(sql.ref('c.created_at'), sql.ref('c.moved_at'))} as milliseconds
      from cards c where ${doneWithin(cards, param)}`,
)

type DoneCard = Pick<CardFact, 'ref' | 'title' | 'card_type' | 'created_at'> & {
  readonly card_id: string
  readonly completed_at: string
}

const doneCards = scopeReader<Bounds & { readonly limit: number; readonly offset: number }, DoneCard>(
  (cards, param) => sql<DoneCard>`select c.id as card_id, ${refOf('c')} as ref, c.title, c.card_type, c.created_at,
      c.moved_at as completed_at
    from cards c where ${doneWithin(cards, param)}
    order by c.moved_at desc, c.id desc limit ${param('limit')} offset ${param('offset')}`,
)

/** The cycle hours of the cards of a scope that were done here within bounds, shortest first (insight B.1). */
export async function readCycleHours(db: Db, scope: CardScope, bounds: Bounds): Promise<number[]> {
  const rows = await cycles(db, scope, bounds)
  return rows.map(({ milliseconds }) => milliseconds / 3_600_000).toSorted((one, other) => one - other)
}

/** get_cycle_time_analytics (insight B.17). */
export const cycleTimeAnalytics: Implementation<(typeof features.analytics)['get_cycle_time_analytics']> = async (
  { query },
  ctx,
) => {
  const window = velocityWindow('week', rangeOf(query), Date.parse(ctx.now()))
  const bounds = windowBounds(window)
  const scope = { board: ctx.boardId, spec: query.spec_id, sprint: query.sprint_id }
  const hours = await readCycleHours(ctx.db, scope, bounds)
  const below = (share: number) => {
    const value = percentile(hours, share)
    return value === null ? null : oneDecimal(value)
  }
  const { limit, offset } = query
  const cards = await doneCards(ctx.db, scope, { ...bounds, limit, offset })
  const body = {
    board_id: ctx.boardId,
    from_date: dateOf(window.from),
    to_date: dateOf(window.to),
    completed_cards: hours.length,
    average_hours: mean(hours),
    percentiles: { p50: below(0.5), p85: below(0.85), p95: below(0.95) },
    cards: cards.map(({ created_at, ...card }) => ({
      ...card,
      cycle_hours: oneDecimal(hoursBetween(created_at, card.completed_at)),
    })),
  }
  return new ExplicitAnswer(body, { total: hours.length })
}

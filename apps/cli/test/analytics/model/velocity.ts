import type { Card, Chained, Records } from '../records.ts'
import { average, cardCycle, count, endOf, hereOf, hours, ofType } from './formulas.ts'
import { failedOf } from './gates.ts'

const day = 86_400_000

/** The Monday of a time's week, or its day (UTC). */
export function periodOf(time: string, granularity: 'week' | 'day'): string {
  const start = new Date(`${time.slice(0, 10)}T00:00:00.000Z`)
  if (granularity === 'week') start.setUTCDate(start.getUTCDate() - ((start.getUTCDay() + 6) % 7))
  return start.toISOString().slice(0, 10)
}

/** A number of successive periods, the last of which contains a time. */
export function periodsTo(time: string, granularity: 'week' | 'day', number: number): string[] {
  const last = Date.parse(periodOf(time, granularity))
  const length = granularity === 'week' ? 7 * day : day
  return Array.from({ length: number }, (_, place) =>
    new Date(last - (number - 1 - place) * length).toISOString().slice(0, 10),
  )
}

/** The events that a velocity counts. */
export type Happened = Pick<Records, 'cards'> & {
  readonly specs: readonly Chained[]
  readonly sprints: readonly Chained[]
}

/** The counts of each period of a velocity. */
export const velocity = (
  { cards, specs, sprints }: Happened,
  periods: readonly string[],
  granularity: 'week' | 'day' = 'week',
) =>
  periods.map(name => {
    const isIn = (time: string) => periodOf(time, granularity) === name
    const completed = (type: string) =>
      count(cards, card => ofType(type)(card) && card.done_at !== null && isIn(card.done_at))
    const moved = (records: readonly Chained[], final: string) =>
      count(
        records.flatMap(record => record.moves),
        move => move.to === final && isIn(move.at),
      )
    return {
      [granularity]: name,
      impl: completed('normal'),
      test: completed('test'),
      bug: completed('bug'),
      validation_bounce: count(failedOf(hereOf(cards.flatMap(card => card.validations))), record =>
        isIn(record.created_at),
      ),
      spec_done: moved(specs, 'done'),
      sprint_done: moved(sprints, 'closed'),
    }
  })

/** The velocity of a board over periods that end today; all its events must lie within them. */
export function boardVelocity(records: Records, now: string, granularity: 'week' | 'day', number: number) {
  const periods = periodsTo(now, granularity, number)
  const [from, to] = [Date.parse(periods[0]!), Date.parse(now)]
  const doneAt = (card: Card) => (card.done_at === null ? Number.NEGATIVE_INFINITY : Date.parse(card.done_at))
  const done = records.cards.filter(card => doneAt(card) >= from)
  const isLate = (card: Card) => doneAt(card) >= from + (to - from) / 2
  const late = count(done, isLate)
  const early = done.length - late
  return {
    board_id: records.boardId,
    from_date: periods[0],
    to_date: now.slice(0, 10),
    sprints: count(
      records.sprints,
      sprint => ['active', 'review'].includes(sprint.status) || hours(endOf(sprint, 'closed') ?? '', periods[0]!) <= 0,
    ),
    completed_cards: done.length,
    average_cycle_time_hours: average(done.map(cardCycle)) ?? 0,
    trend: late > 1.1 * early ? 'up' : late < 0.9 * early ? 'down' : 'stable',
    granularity,
    buckets: velocity(records, periods, granularity),
  }
}

import { meanOf } from './measures.ts'
import { dateOf, middleOf, periodOf, type Window } from './periods.ts'

const series = ['impl', 'test', 'bug', 'validation_bounce', 'spec_done', 'sprint_done'] as const

/** A series that a velocity counts. */
export type Series = (typeof series)[number]

/** An event: the series it counts in, when it happened, and how often. */
export interface VelocityEvent {
  readonly series: Series
  readonly at: string
  readonly count: number
}

/** Cards of a type that were done on one day and in one half of a window. */
export interface Completions {
  readonly card_type: string
  /** When the latest of them was done. */
  readonly at: string
  readonly cards: number
  /** The sum of their cycle times. */
  readonly milliseconds: number
}

/** A bucket of a velocity, without the first day of its period. */
export type BucketCounts = Record<Series, number>

/** A week of a velocity. */
export interface WeekBucket extends BucketCounts {
  readonly week: string
}

/** A day of a velocity. */
export interface DayBucket extends BucketCounts {
  readonly day: string
}

/** Counts the events in each period of a window, with zeros for empty periods (B.1). */
export function bucketsOf(window: Window, events: readonly VelocityEvent[]): (WeekBucket | DayBucket)[] {
  const buckets = window.starts.map(start => {
    const counts: BucketCounts = { impl: 0, test: 0, bug: 0, validation_bounce: 0, spec_done: 0, sprint_done: 0 }
    return window.granularity === 'week' ? { week: dateOf(start), ...counts } : { day: dateOf(start), ...counts }
  })
  for (const event of events) {
    const bucket = buckets[periodOf(window, Date.parse(event.at)) ?? -1]
    if (bucket !== undefined) bucket[event.series] += event.count
  }
  return buckets
}

/** The buckets of a window of weeks. */
export const weeksOf = (window: Window, events: readonly VelocityEvent[]): WeekBucket[] =>
  bucketsOf(window, events).filter(bucket => 'week' in bucket)

/** The series that a completed card counts in. */
export const seriesOf = (cardType: string): Series => (cardType === 'test' || cardType === 'bug' ? cardType : 'impl')

/** How many cards were completed. */
export const cardsOf = (completions: readonly Completions[]): number =>
  completions.reduce((sum, { cards }) => sum + cards, 0)

/** Compares completions in the two halves of a window; the midpoint belongs to the second half (B.2). */
export function trendOf(window: Window, completions: readonly Completions[]): 'up' | 'down' | 'stable' {
  const middle = middleOf(window)
  const second = cardsOf(completions.filter(({ at }) => at >= middle))
  const first = cardsOf(completions) - second
  if (second > 1.1 * first) return 'up'
  return second < 0.9 * first ? 'down' : 'stable'
}

/** The fields of a sprint needed to count sprints in a window. */
export interface SprintSpan {
  readonly status: string
  readonly created_at: string
  readonly completed_at: string | null
}

const underWay: ReadonlySet<string> = new Set(['active', 'review', 'closed'])

/** A sprint that was imported as closed has no closing time here, and was never in progress here. */
const isClosedElsewhere = ({ status, completed_at }: SprintSpan): boolean =>
  status === 'closed' && completed_at === null

/** How many sprints were in progress in a window: created by its end and not closed before its start (B.2). */
export const sprintsWithin = ({ from, to }: Window, sprints: readonly SprintSpan[]): number =>
  sprints.filter(sprint => {
    const { status, created_at, completed_at } = sprint
    if (!underWay.has(status) || isClosedElsewhere(sprint)) return false
    return Date.parse(created_at) <= to && (completed_at === null || Date.parse(completed_at) >= from)
  }).length

/** The mean cycle time in hours; 0 when nothing was completed (B.2). */
export const meanCycle = (completions: readonly Completions[]): number => {
  const total = completions.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  return meanOf(total / 3_600_000, cardsOf(completions)) ?? 0
}

import { invalid } from '../../kernel/errors.ts'

/** A requested time range: inclusive times, null for an open end. */
export interface Range {
  readonly from: string | null
  readonly to: string | null
}

/** The range in a query; `from_date` and `to_date` take precedence over `from` and `to`. */
export interface RangeQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly from_date?: string | undefined
  readonly to_date?: string | undefined
}

/** All time. */
export const always: Range = { from: null, to: null }

/**
 * The time range of a query (B.1).
 * @throws DomainError VALIDATION_ERROR when it ends before it starts
 */
export function rangeOf(query: RangeQuery): Range {
  const from = query.from_date ?? query.from ?? null
  const to = query.to_date ?? query.to ?? null
  if (from !== null && to !== null && from > to)
    throw invalid('from_date', `The range starts at ${from} and ends before that, at ${to}. Swap its ends.`)
  return { from, to }
}

/** The range as two times for a query to compare with. */
export const boundsOf = ({ from, to }: Range): { from: string; to: string } => ({
  from: from ?? '',
  to: to ?? '9999-12-31T23:59:59.999Z',
})

/** The length of a velocity bucket. */
export type Granularity = 'week' | 'day'

const dayMs = 86_400_000
const lengths = { day: dayMs, week: 7 * dayMs } as const
/** 1970-01-05 was a Monday. */
const firsts = { day: 0, week: 4 * dayMs } as const
const defaultPeriods = { day: 30, week: 12 } as const
const max = { day: 365, week: 52 } as const

/** The first moment of the day, or of the week from Monday, that contains a time (UTC). */
export const periodStart = (time: number, granularity: Granularity): number =>
  Math.floor((time - firsts[granularity]) / lengths[granularity]) * lengths[granularity] + firsts[granularity]

/** The window over which a velocity counts events: from one time to another, inclusive, in periods. */
export interface Window {
  readonly granularity: Granularity
  readonly from: number
  readonly to: number
  /** The first moment of each period, oldest first; the last period contains the window's end. */
  readonly starts: readonly number[]
}

/**
 * The window of a velocity (B.2). It ends at the range's end, else now. It has as many periods as requested, else
 * enough to reach the range's start (at most a year), else 12 weeks or 30 days.
 */
export function velocityWindow(granularity: Granularity, range: Range, now: number, periods?: number): Window {
  const length = lengths[granularity]
  const to = range.to === null ? now : Date.parse(range.to)
  const last = periodStart(to, granularity)
  const start = range.from === null ? null : Date.parse(range.from)
  const enough =
    start === null ? defaultPeriods[granularity] : Math.round((last - periodStart(start, granularity)) / length) + 1
  const number = periods ?? Math.min(Math.max(enough, 1), max[granularity])
  const starts = Array.from({ length: number }, (_, index) => last - (number - 1 - index) * length)
  return { granularity, from: start ?? starts[0] ?? last, to, starts }
}

/** The window as two times for a query to compare with. */
export const windowBounds = ({ from, to }: Window): { from: string; to: string } => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

/** The middle of a window; it belongs to the second half. */
export const middleOf = ({ from, to }: Window): string => new Date(Math.ceil(from + (to - from) / 2)).toISOString()

/** The date of a time in UTC. */
export const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The index of the period that contains a time; undefined outside of the window or before the first period. */
export function periodOf({ granularity, from, to, starts }: Window, time: number): number | undefined {
  const [first] = starts
  if (first === undefined || time < from || time > to || time < first) return undefined
  return Math.floor((time - first) / lengths[granularity])
}

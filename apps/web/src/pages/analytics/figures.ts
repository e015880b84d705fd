import { useQuery } from '@tanstack/react-query'
import { keys } from '../../data/keys.ts'

/** The board and the range of days that figures cover. */
export interface RangeProps {
  readonly boardId: string
  readonly boardKey: string
  /** Dates; a missing one means no limit. */
  readonly range: Readonly<Partial<Record<'from' | 'to', string>>>
}

/** How old figures may be when a page is opened again, ms. */
const freshMs = 10_000

/** Figures of a board in a date range; read again when cards change. */
export function useFigures<T>(
  name: string,
  { boardId, range }: Omit<RangeProps, 'boardKey'>,
  read: (args: AnalyticsArgs) => Promise<T>,
) {
  return useQuery({
    queryKey: keys.list(boardId, 'analytics', { name, ...range }),
    queryFn: () => read({ board_id: boardId, ...range }),
    staleTime: freshMs,
  })
}

type AnalyticsArgs = RangeProps['range'] & { readonly board_id: string }

/** The activity of cards in the week, or on the day, that starts with a date. */
export function addressOfPeriod(key: string, begin: string, days: number): string {
  const end = new Date(Date.parse(begin) + days * 86_400_000).toISOString().slice(0, 10)
  return `/b/${key}/activity?${new URLSearchParams({ entity_type: 'card', since: begin.slice(0, 10), until: end })}`
}

const dayMs = 86_400_000

/** How many days a range without a beginning shows: the twelve weeks of the throughput. */
const usualDays = 84

/** The maximum number of days for which a flow is shown by day instead of by week. */
const maxDaysByDay = 92

/** The day that is a given number of days after another. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** The days of a range, including both ends, and the period by which its figures are grouped. */
export function daysOf({ from, to = new Date().toISOString().slice(0, 10) }: RangeProps['range']) {
  const begin = from ?? dayAfter(to, 1 - usualDays)
  const days = Math.round((Date.parse(to) - Date.parse(begin)) / dayMs) + 1
  return { from: begin, to, days, granularity: days > maxDaysByDay ? 'week' : 'day' } as const
}

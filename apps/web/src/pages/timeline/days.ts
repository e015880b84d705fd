import { dates } from '../../messages/format.ts'

/** Days are numbered from 1970 and match the dates of records: a date is the same day everywhere. */
const dayMs = 86_400_000

/** The day that a date of a record names. */
export const dayOfDate = (date: string): number => Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / dayMs)

/** The date of a day, in the form that records use. */
export const dateOf = (day: number): string => dateAt(day).toISOString().slice(0, 10)

/** The current day in the person's time zone. */
export function todayOf(now: number): number {
  const here = new Date(now)
  return Date.UTC(here.getFullYear(), here.getMonth(), here.getDate()) / dayMs
}

const format = (options: Intl.DateTimeFormatOptions) => dates({ ...options, timeZone: 'UTC' })
const formats = {
  year: format({ year: 'numeric' }),
  month: format({ month: 'short' }),
  monthOfYear: format({ month: 'long', year: 'numeric' }),
  day: format({ day: 'numeric' }),
  weekday: format({ weekday: 'narrow' }),
  date: format({ day: 'numeric', month: 'short' }),
  dateOfYear: format({ day: 'numeric', month: 'short', year: 'numeric' }),
}

const dateAt = (day: number): Date => new Date(day * dayMs)

/** A day in words, with the year if it is not the current one. */
export function dayWords(day: number, today: number): string {
  const date = dateAt(day)
  const isThisYear = date.getUTCFullYear() === dateAt(today).getUTCFullYear()
  return (isThisYear ? formats.date : formats.dateOfYear).format(date)
}

/** The width of a day by scale, px. */
export const zooms = { days: 34, weeks: 14, months: 5, quarters: 2 } as const
export type Zoom = keyof typeof zooms
export const zoomNames = Object.keys(zooms) as readonly Zoom[]

/** How many days an arrow key moves something at a scale: enough to be visible. */
export const stepOf: Readonly<Record<Zoom, number>> = { days: 1, weeks: 1, months: 7, quarters: 7 }

export interface Tick {
  readonly day: number
  readonly label: string
}

export interface Range {
  readonly first: number
  readonly last: number
}

const isMonday = (day: number): boolean => dateAt(day).getUTCDay() === 1
const isFirst = (day: number): boolean => dateAt(day).getUTCDate() === 1
const isNewYear = (day: number): boolean => isFirst(day) && dateAt(day).getUTCMonth() === 0

/** The days of a range. */
export const daysOf = ({ first, last }: Range): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Whether a day is on the weekend. */
export const isWeekend = (day: number): boolean => [0, 6].includes(dateAt(day).getUTCDay())

interface Scale {
  /** An upper label of the axis: where it begins, and its text. */
  readonly above: { readonly begins: (day: number) => boolean; readonly says: (date: Date) => string }
  readonly below: { readonly begins: (day: number) => boolean; readonly says: (date: Date) => string }
}

const monthOfYear = { begins: isFirst, says: (date: Date) => formats.monthOfYear.format(date) }
const year = { begins: isNewYear, says: (date: Date) => formats.year.format(date) }
const month = { begins: isFirst, says: (date: Date) => formats.month.format(date) }
const dayOfMonth = (date: Date) => formats.day.format(date)

const scales: Readonly<Record<Zoom, Scale>> = {
  days: {
    above: monthOfYear,
    below: { begins: () => true, says: date => `${formats.weekday.format(date)} ${dayOfMonth(date)}` },
  },
  weeks: { above: monthOfYear, below: { begins: isMonday, says: dayOfMonth } },
  months: { above: year, below: month },
  quarters: {
    above: year,
    below: { begins: day => isFirst(day) && dateAt(day).getUTCMonth() % 3 === 0, says: quarterOf },
  },
}

function quarterOf(date: Date): string {
  return `Q${Math.floor(date.getUTCMonth() / 3) + 1}`
}

/** The labels of an axis: the upper ones, each from its first day, and the lower ones. */
export function ticksOf(
  range: Range,
  zoom: Zoom,
): { readonly above: readonly Tick[]; readonly below: readonly Tick[] } {
  const { above, below } = scales[zoom]
  const days = daysOf(range)
  const ticks = ({ begins, says }: Scale['above']) =>
    days.filter(begins).map(day => ({ day, label: says(dateAt(day)) }))
  const upper = ticks(above)
  const { first } = range
  return {
    // A span that began before the axis is labelled at the beginning of the axis.
    above: upper[0]?.day === first ? upper : [{ day: first, label: above.says(dateAt(first)) }, ...upper],
    below: ticks(below),
  }
}

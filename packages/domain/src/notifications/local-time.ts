/** Local times of people (people 5.1, 5.2). Pure. */

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** A day of the week. */
export type Weekday = (typeof weekdays)[number]

/** The date and the time of the day, to the minute, in a time zone. */
export interface LocalTime {
  /** As 2030-01-31. */
  readonly date: string
  /** As 08:00. */
  readonly time: string
  readonly day: Weekday
}

/** Maximum number of formats to keep: one for each time zone in use. */
const keptFormats = 100

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone)
  if (cached !== undefined) return cached
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  if (formats.size >= keptFormats) formats.clear()
  formats.set(zone, format)
  return format
}

/** Whether a text is the name of a time zone of the IANA database. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

const minuteMs = 60_000

/** Clocks are changed only at full quarters of an hour. */
const quarterMs = 15 * minuteMs

/** How far ahead of UTC a time zone is at a moment, ms. */
function offsetAt(ms: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(ms)
  const at = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find(part => part.type === type)!.value)
  return Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute')) - ms
}

/** The offset that was requested last: a search for a time asks for consecutive minutes. */
let last = { zone: '', quarter: Number.NaN, offset: 0 }

/** A moment in a time zone. */
export function localTime(ms: number, zone: string): LocalTime {
  const quarter = Math.floor(ms / quarterMs)
  if (last.zone !== zone || last.quarter !== quarter)
    last = { zone, quarter, offset: offsetAt(quarter * quarterMs, zone) }
  const local = new Date(ms + last.offset)
  const text = local.toISOString()
  return { date: text.slice(0, 10), time: text.slice(11, 16), day: weekdays[(local.getUTCDay() + 6) % 7]! }
}

/** Hours during which nothing is sent. */
export interface Quiet {
  readonly from: string
  readonly to: string
  readonly days: readonly Weekday[]
}

const dayBefore = (day: Weekday): Weekday => weekdays[(weekdays.indexOf(day) + 6) % 7]!

/** Whether a moment is in quiet hours; those that span midnight belong to the day on which they begin. */
export function isQuiet({ from, to, days }: Quiet, { time, day }: LocalTime): boolean {
  if (from < to) return days.includes(day) && from <= time && time < to
  return (days.includes(day) && time >= from) || (days.includes(dayBefore(day)) && time < to)
}

/** How far ahead a time is searched, minutes: two days, and an hour more for when clocks are set back. */
const maxMinutes = 49 * 60

/**
 * The first whole minute after a moment for which a condition holds, within two days; otherwise the end of that period.
 */
function firstMinute(ms: number, holds: (at: number) => boolean): number {
  const first = Math.ceil(ms / minuteMs) * minuteMs
  for (let minute = 0; minute < maxMinutes; minute++) {
    const at = first + minute * minuteMs
    if (holds(at)) return at
  }
  return first + maxMinutes * minuteMs
}

/**
 * When the quiet hours in force at a moment end; if they last longer than two days, two days later, when it is computed
 * again.
 */
export const quietUntil = (quiet: Quiet, ms: number, zone: string): number =>
  firstMinute(ms, at => !isQuiet(quiet, localTime(at, zone)))

/** Whether the digest of a day is due: its time has come, and none was sent that day. */
const isDigestDue = (digestAt: string, lastOn: string | null, { date, time }: LocalTime): boolean =>
  time >= digestAt && (lastOn === null || date > lastOn)

/**
 * When the digest that reports an item is due, given the time at which the item arrived; after that day's digest, the
 * item waits for the next one.
 */
export function digestDueAt(digestAt: string, lastOn: string | null, ms: number, zone: string): number {
  const then = localTime(ms, zone)
  const over = isDigestDue(digestAt, lastOn, then) ? then.date : lastOn
  return firstMinute(ms, at => isDigestDue(digestAt, over, localTime(at, zone)))
}

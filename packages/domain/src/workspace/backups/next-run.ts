/** When a running service backs itself up (exchange 3). */
import type { ScheduledRun } from '@specboard/storage'

/** A time of the day in the service's time zone. */
export interface TimeOfDay {
  readonly hours: number
  readonly minutes: number
}

/** A time of the day from its text, such as 02:30; undefined for other text. */
export function timeOfDay(text: string | undefined): TimeOfDay | undefined {
  if (text === undefined) return undefined
  const [hours, minutes] = text.split(':').map(Number)
  return { hours: hours!, minutes: minutes! }
}

/** How often backups are made. */
export interface BackupSchedule {
  readonly everyMs: number
  /** The time of day of the first backup; by default whenever the interval ends. */
  readonly at?: TimeOfDay | undefined
}

const minute = 60_000
const day = 24 * 60 * minute

/** How long after each failure in a row the next attempt begins, ms; the last one applies to all further ones. */
const backOffMs = [minute, 5 * minute, 15 * minute, 60 * minute]

/**
 * When the next backup is due, ms. After a failure it is retried soon, and no later than it would have been due anyway.
 * A time that passed while the service was down is due at once.
 * @param last the newest scheduled backup; undefined when there was none
 */
export function nextRunAt(schedule: BackupSchedule, last: ScheduledRun | undefined, now: number): number {
  if (last === undefined) return schedule.at === undefined ? now : nextOnGrid(schedule.everyMs, schedule.at, now, 1)
  const lastAt = Date.parse(last.at)
  const { everyMs, at } = schedule
  const regular = at === undefined ? lastAt + everyMs : nextOnGrid(everyMs, at, lastAt)
  if (last.failures === 0) return regular
  return Math.min(regular, lastAt + (backOffMs[last.failures - 1] ?? backOffMs.at(-1)!))
}

/**
 * The first moment after another one at which the local time of day is the given one, or a whole number of intervals
 * later. Intervals of a day or more count days, so that the time stays the same when clocks change.
 */
function nextOnGrid(everyMs: number, at: TimeOfDay, after: number, minDays = Math.round(everyMs / day)): number {
  const today = onDay(after, 0, at)
  if (everyMs >= day) return today > after ? today : onDay(after, minDays, at)
  // The intervals start over each day: the last one of a day may be shorter.
  const [start, end] = today > after ? [onDay(after, -1, at), today] : [today, onDay(after, 1, at)]
  return Math.min(end, start + (Math.floor((after - start) / everyMs) + 1) * everyMs)
}

/** A time of day in the service's time zone, a number of days after another moment. */
function onDay(moment: number, ahead: number, { hours, minutes }: TimeOfDay): number {
  const date = new Date(moment)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + ahead, hours, minutes).getTime()
}

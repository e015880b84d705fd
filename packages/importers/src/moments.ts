/** Parses the time formats of other tools, as UTC with milliseconds. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const fullMonths = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august'],
  ...['september', 'october', 'november', 'december'],
]

/** `2026-03-20`, `2026/3/20`. */
const yearFirst = /^(?<year>\d{4})(?:-(?<month>\d{1,2})-(?<day>\d{1,2})|\/(?<month2>\d{1,2})\/(?<day2>\d{1,2}))(?!\d)/

/** `20/Mar/26` (Jira), `20 Mar 2026`, `Fri, 20 Mar 2026` (Plane). */
const dayFirst =
  /^(?:[A-Za-z]{3,9},? )?(?<day>\d{1,2})\.?[ /-](?<month>[A-Za-z]{3,9})\.?,?[ /-](?<year>\d{4}|\d{2})(?!\d)/

/** `Mar 20, 2026`, `March 20 2026`, `Fri Mar 20 2026` (Linear). */
const monthFirst =
  /^(?:[A-Za-z]{3,9},? )?(?<month>[A-Za-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})(?!\d)/

/** `20.03.2026`: nobody writes the month first with dots. */
const dotted = /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?!\d)/

/** Three numbers, whose meaning depends on the order. */
const numbers = /^(?<first>\d{1,4})[/.-](?<second>\d{1,2})[/.-](?<third>\d{1,4})(?!\d)/

/** ` 14:05`, `T14:05:09.123+01:00`, `, 2:05 PM`, ` 14:05:09 GMT+0000 (GMT)`, or nothing. */
const timeOfDay =
  /^(?:(?:T|,? (?:at )?)(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,12}))?)?(?: ?(?<half>[AP])\.?M\.?)?(?: ?(?<zone>Z|(?:UTC|GMT)?[+-]\d\d(?::?\d\d)?|UTC|GMT))?(?: \([^()]*\))?)?$/i

/** The order of a numeric date. */
export type DateOrder = 'DMY' | 'MDY' | 'YMD'

/** A time in a known format, in UTC if it has no zone; null if it is invalid. */
export function momentOf(text: string): string | null {
  const trimmed = text.trim()
  const found = [yearFirst, dayFirst, monthFirst, dotted].map(form => form.exec(trimmed)).find(match => match !== null)
  if (found === undefined) return null
  const { year, month, month2, day, day2 } = found.groups!
  return momentAt(year!, (month ?? month2)!, (day ?? day2)!, trimmed.slice(found[0].length))
}

/**
 * A numeric date, such as `3/20/2026 2:05 PM`; null if it is invalid in this order.
 * @param shortYears whether years of two digits are read
 */
export function numericMoment(text: string, order: DateOrder, shortYears: boolean): string | null {
  const trimmed = text.trim()
  const found = numbers.exec(trimmed)
  if (found === null) return null
  const part = (letter: 'D' | 'M' | 'Y'): string => found[order.indexOf(letter) + 1]!
  const year = part('Y')
  if (year.length !== 4 && !(shortYears && year.length === 2)) return null
  return momentAt(year, part('M'), part('D'), trimmed.slice(found[0].length))
}

/** Whether a time has a zone. */
export const namesZone = (text: string): boolean =>
  /\d ?(?:Z|UTC|GMT|(?:GMT|UTC)?[+-]\d\d(?::?\d\d)?)(?: \([^()]*\))?$/i.test(text.trim()) &&
  !/^\d{4}-\d\d-\d\d$/.test(text.trim())

function momentAt(year: string, month: string, day: string, rest: string): string | null {
  const time = timeOfDay.exec(rest)
  if (time === null) return null
  const { hour = '0', minute = '0', second = '0', fraction = '0', half, zone } = time.groups!
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  return inUtc(
    {
      year: Number(year.length === 2 ? `20${year}` : year),
      month: monthNumber(month),
      day: Number(day),
      hour: hours,
      minute: Number(minute),
      second: Number(second),
      millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')),
    },
    zone,
  )
}

/** The number of a month, which may be a name; 0 if it is unknown. */
function monthNumber(month: string): number {
  if (/^\d/.test(month)) return Number(month)
  const name = month.toLowerCase()
  return Math.max(months.indexOf(name === 'sept' ? 'sep' : name), fullMonths.indexOf(name)) + 1
}

type Local = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond', number>>

/** The first year that `Date.UTC` does not reinterpret. */
const firstYear = 100

/** Refuses dates that do not exist, such as 30 February, which `Date` would move into March. */
function inUtc(
  { year, month, day, hour, minute, second, millisecond }: Local,
  zone: string | undefined,
): string | null {
  const isTime = hour < 24 && minute < 60 && second < 60
  if (year < firstYear || month < 1 || month > 12 || day < 1 || !isTime) return null
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, millisecond))
  if (local.getUTCDate() !== day) return null
  const utc = new Date(local.getTime() - offsetOf(zone))
  return utc.getUTCFullYear() > 9999 ? null : utc.toISOString()
}

/** How far a zone is ahead of UTC, milliseconds; 0 without a zone. */
function offsetOf(zone: string | undefined): number {
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '') ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

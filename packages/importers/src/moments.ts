/** The times that the formats write, as UTC with milliseconds. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `2026-03-20`, `2026-03-20 14:05`, `2026-03-20T14:05:09.123+01:00` and what lies between; more digits than ms too. */
const iso =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d)(?::(?<seconds>\d\d)(?:\.(?<fraction>\d+))?)? ?(?<zone>Z|UTC|[+-]\d\d:?\d\d)?)?$/i

/** `20/Mar/26`, `20/Mar/26 2:05 PM`, `20/Mar/2026 14:05` (Jira). */
const slashed =
  /^(?<day>\d{1,2})\/(?<month>[A-Za-z]{3})\/(?<year>\d{2}|\d{4})(?: (?<hour>\d{1,2}):(?<minute>\d\d)(?: ?(?<half>[AP]M))?)?$/i

/** `Fri Mar 20 2026 14:05:09 GMT+0000 (GMT)`, `Fri, 20 Mar 2026 14:05:09 UTC`, `Fri, 20 Mar 2026` (Linear, Plane). */
const spelled =
  /^[A-Za-z]{3},? (?:(?<month>[A-Za-z]{3}) (?<day>\d{1,2})|(?<day2>\d{1,2}) (?<month2>[A-Za-z]{3})) (?<year>\d{4})(?: (?<time>\d\d:\d\d:\d\d)(?: (?:GMT|UTC)?(?<zone>[+-]\d\d:?\d\d)?)?(?: \(.*\))?)?$/i

/** A time as a format writes it, in UTC where it names no zone; null if it is none. */
export function momentOf(text: string): string | null {
  const trimmed = text.trim()
  return ofIso(iso.exec(trimmed)) ?? ofSlashed(slashed.exec(trimmed)) ?? ofSpelled(spelled.exec(trimmed))
}

/** Whether a time that is read says in which zone it is. */
export const namesZone = (text: string): boolean =>
  /\d ?(?:Z|UTC|GMT|(?:GMT|UTC)?[+-]\d\d:?\d\d)(?: \([^()]*\))?$/i.test(text.trim())

function ofIso(found: RegExpExecArray | null): string | null {
  if (found === null) return null
  const { date, time = '00:00', seconds = '00', fraction = '0', zone } = found.groups!
  return inUtc(`${date}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`, zone)
}

function ofSlashed(found: RegExpExecArray | null): string | null {
  if (found === null) return null
  const { day, month, year, hour = '0', minute = '00', half } = found.groups!
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)
  return inUtc(`${dateOf(year!, month!, day!)}T${String(hours).padStart(2, '0')}:${minute}:00.000`, undefined)
}

function ofSpelled(found: RegExpExecArray | null): string | null {
  if (found === null) return null
  const { month, day, month2, day2, year, time = '00:00:00', zone } = found.groups!
  return inUtc(`${dateOf(year!, (month ?? month2)!, (day ?? day2)!)}T${time}.000`, zone)
}

const dateOf = (year: string, month: string, day: string): string =>
  [
    year.length === 2 ? `20${year}` : year,
    String(months.indexOf(month.toLowerCase()) + 1).padStart(2, '0'),
    day.padStart(2, '0'),
  ].join('-')

/** Refuses what a calendar does not have, such as 30 February, which `Date` would move into March. */
function inUtc(local: string, zone: string | undefined): string | null {
  const asUtc = new Date(`${local}Z`)
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString() !== local.concat('Z')) return null
  if (zone === undefined || /^(?:Z|UTC)$/i.test(zone)) return asUtc.toISOString()
  const inZone = new Date(local + zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2'))
  return Number.isNaN(inZone.getTime()) || inZone.getUTCFullYear() > 9999 ? null : inZone.toISOString()
}

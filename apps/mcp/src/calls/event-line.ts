/** Events of a board in the form that models read (crew 5.6). */
import { cut } from './compact.ts'
import { isObject, type JsonObject } from './lean-value.ts'

/** The maximum characters of a text in the line of an event. */
const textLength = 60

const isUuid = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

const isIdMember = (name: string): boolean => name === 'id' || /_(?:id|ids|by)$/.test(name)

/** Shorter names for members of details. */
const shorter: Readonly<Record<string, string>> = { from_status: 'from', to_status: 'to' }

/** Members that are of no use when following a board: positions in columns, and the duration of a claim. */
const needless: ReadonlySet<string> = new Set(['version', 'lease_seconds', 'from_position', 'to_position', 'position'])

/** A time to the minute, in UTC: the day without the year, and the hour. */
const minuteOf = (at: unknown): readonly [string, string] | undefined => {
  const [, day, hour] = /^\d{4}-(\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{3}Z$/.exec(String(at)) ?? []
  return day === undefined || hour === undefined ? undefined : [day, hour]
}

/** Whether a member of the details is left out: ids, and what the record itself shows. */
function isLeftOut(name: string, value: unknown, action: unknown): boolean {
  if (isIdMember(name) || isUuid(value) || value === null || value === '') return true
  if (name === 'title') return !/_(?:created|deleted)$/.test(String(action))
  if (name === 'status') return String(action).endsWith('_created')
  if (name === 'recommendation') return String(action).startsWith('validation_')
  return needless.has(name) || name.endsWith('_title')
}

/** The details of an event in one line: words and numbers, but no ids. */
function* detailsIn(details: JsonObject, action: unknown): Iterable<readonly [string, unknown]> {
  for (const [member, value] of Object.entries(details)) {
    if (isLeftOut(member, value, action)) continue
    const name = Object.hasOwn(shorter, member) ? shorter[member]! : member
    if (typeof value === 'string') yield [name, cut(value, textLength)]
    else if (typeof value === 'number' || value === true) yield [name, value]
    else if (Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'string' && !isUuid(one)))
      yield [name, value.slice(0, 5)]
  }
}

/**
 * Events, each in one line: {seq, at, who, what, ref} and its details; if it has no reference, its kind and id. The day
 * is only included if it differs from that of the line before.
 */
export function eventLines(events: readonly unknown[]): unknown[] {
  let last: string | undefined
  return events.map(event => {
    const [day, hour] = (isObject(event) && minuteOf(event.at)) || []
    const time = day === undefined || day !== last ? [day, hour].filter(Boolean).join(' ') : hour
    last = day ?? last
    return eventLine(event, time)
  })
}

function eventLine(event: unknown, shownAt: string | undefined): unknown {
  if (!isObject(event) || event.sequence === undefined || event.action === undefined) return event
  const { sequence, at, actor_name, action, ref, entity_type, entity_id, details } = event
  const line: JsonObject = {
    seq: sequence,
    at: shownAt || at,
    who: actor_name,
    what: action,
    ...(typeof ref === 'string' ? { ref } : { entity_type, entity_id }),
  }
  return isObject(details) ? { ...line, ...Object.fromEntries(detailsIn(details, action)), ...line } : line
}

import { isObject, type JsonObject } from './lean-value.ts'

/** Maximum length of a text in a compact record, and of the JSON of an object in it (mcp 9.3). */
const maxText = 200
const maxObject = 300

/** Maximum length of the JSON of a moved record's title. */
const maxTitle = 220

/** Members that a compact record always shows whole. */
const untouched = /^(?:id|title|name|status|type|version|.*_at)$/

/** Truncates a text to a length and says how many characters were left out; never splits a character. */
export function cut(text: string, length: number, hint = ''): string {
  if (text.length <= length) return text
  const end = /[\uD800-\uDBFF]/.test(text[length - 1]!) ? length - 1 : length
  return `${text.slice(0, end)}…[+${text.length - end}${hint}]`
}

/** Maximum number of cards held by a worker, and of overlaps of a claim, that a compact record shows (mcp 9.3). */
const shownHolds = 3

/** Whether something is held until a time: a card of a worker, or the other side of an overlap (harness 5.2, 6). */
const isHold = (value: unknown): boolean =>
  isObject(value) && 'until' in value && value.id === undefined && ('ref' in value || 'reservation_id' in value)

/** Whether an answer consists of objects alone, such as the two sides of an overlap (harness 5.3). */
const isGroup = (record: JsonObject): boolean => Object.values(record).every(isObject)

/**
 * The compact form of a record (mcp 9.3): long texts truncated, arrays of objects counted, large objects left out and
 * listed in `_omitted`. A record or claim inside an answer that is not itself a record is compact too. Arrays of things
 * that are held keep the first `holds` elements.
 */
export function compact(record: JsonObject, holds = shownHolds): JsonObject {
  const short: JsonObject = {}
  const omitted: string[] = []
  for (const [key, value] of Object.entries(record)) {
    if (untouched.test(key)) short[key] = value
    else if (typeof value === 'string') short[key] = cut(value, maxText)
    else if (Array.isArray(value) && value.some(isObject)) {
      const first = value.every(isHold) ? value.slice(0, holds) : []
      if (first.length > 0) short[key] = first.map(item => compact(item))
      if (first.length < value.length) short[`${key}_count`] ??= value.length
    } else if (isObject(value) && JSON.stringify(value).length > maxObject)
      if (record.id === undefined && (value.id !== undefined || key === 'claim' || isGroup(record)))
        // What a claim says about its card is not repeated.
        short[key] = compact(value, isObject(record.claim) && key !== 'claim' ? 0 : holds)
      else omitted.push(key)
    else short[key] = value !== null && typeof value === 'object' ? cutTexts(value) : value
  }
  if (omitted.length > 0) short._omitted = omitted
  return short
}

/** The fields that a move can change, with those that identify the record (mcp 9.3). */
const movable: ReadonlySet<string> = new Set([
  'id',
  'ref',
  'title',
  'status',
  'version',
  'rev',
  'position',
  'current_validation_id',
  'changed_since_validated',
  'conclusions_count',
  'claim',
  'updated_at',
])

/** The compact form of a moved record: its identity, and what the move changed (mcp 9.3). */
export const moved = (record: JsonObject): JsonObject => ({
  ...Object.fromEntries(Object.entries(compact(record)).filter(([key]) => movable.has(key))),
  ...(typeof record.title === 'string' && { title: shortTitle(record.title) }),
})

/** A title in at most 220 characters of JSON, in which a quotation mark takes two and a control character six. */
function shortTitle(title: string): string {
  let length = maxText
  while (JSON.stringify(cut(title, length)).length > maxTitle) length -= 10
  return cut(title, length)
}

/** A record with all its members, the texts in them cut. */
export const withShortTexts = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, untouched.test(key) ? value : cutTexts(value)]))

function cutTexts(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, maxText)
  if (Array.isArray(value)) return value.map(cutTexts)
  return isObject(value) ? withShortTexts(value) : value
}

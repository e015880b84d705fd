import { cut } from './compact.ts'
import { isObject, type JsonObject } from './lean-value.ts'

/** Maximum characters of a result, and of a result whose `fields` names a single text (mcp 9.3). */
export const ceilings = { usual: 50_000, oneText: 200_000 } as const

/** Characters that a text keeps when its value is above the ceiling. */
const keptText = 2_000

/** A value and its minified JSON. */
export interface Written {
  readonly value: JsonObject
  readonly text: string
  /** The value before anything was shortened, where that differs; later calls of a run refer to it. */
  readonly uncut?: () => JsonObject
}

/** Room for `truncated` and the numbers that change when something is cut. */
const margin = 200

/** Fits a value into the ceiling: a list drops items from the end, any other value has its longest texts cut. */
export function underCeiling(value: JsonObject, isList: boolean, ceiling: number): Written {
  const text = JSON.stringify(value)
  if (text.length <= ceiling) return { value, text }
  const short = { ...(isList ? withFewerItems(value, ceiling) : withShorterTexts(value, ceiling)), truncated: true }
  return { value: short, text: JSON.stringify(short) }
}

function withFewerItems(page: JsonObject, ceiling: number): JsonObject {
  const items = page.items as unknown[]
  const room = ceiling - margin - JSON.stringify({ ...page, items: [] }).length
  let used = 0
  let kept = 0
  for (const item of items) {
    used += JSON.stringify(item).length + 1
    if (used > room) break
    kept++
  }
  if (kept > 0) return { ...page, items: items.slice(0, kept), next_offset: Number(page.offset ?? 0) + kept }
  return { ...page, items: [withShorterTexts(items[0] as JsonObject, room)], next_offset: Number(page.offset ?? 0) + 1 }
}

interface LongText {
  readonly path: string
  readonly length: number
}

function withShorterTexts(value: JsonObject, ceiling: number): JsonObject {
  const texts: LongText[] = []
  collect(value, '', texts)
  texts.sort((a, b) => b.length - a.length)
  let length = JSON.stringify(value).length
  const cutPaths = new Set<string>()
  for (const text of texts) {
    if (length <= ceiling - margin) break
    cutPaths.add(text.path)
    length -= text.length - keptText - text.path.length
  }
  let short = cutPaths.size === 0 ? value : (cutAt(value, '', cutPaths) as JsonObject)
  while (JSON.stringify(short).length > ceiling - margin) {
    const shorter = withHalfOfLongestArray(short) ?? withoutLargestMember(short)
    if (shorter === undefined) break
    short = shorter
  }
  return short
}

/** Collects the texts that can be cut. */
function collect(value: unknown, path: string, into: LongText[]): void {
  if (typeof value === 'string') {
    if (value.length > keptText) into.push({ path, length: value.length })
  } else if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item, `${path}[${index}]`, into)
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) collect(inner, path === '' ? key : `${path}.${key}`, into)
}

function cutAt(value: unknown, path: string, paths: ReadonlySet<string>): unknown {
  if (typeof value === 'string')
    return paths.has(path) ? cut(value, keptText, `; ask with fields=${path.replaceAll(/\[\d+\]/g, '')}`) : value
  if (Array.isArray(value)) return value.map((item, index) => cutAt(item, `${path}[${index}]`, paths))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, cutAt(inner, path === '' ? key : `${path}.${key}`, paths)]),
  )
}

/** The entries of a value with the length of their JSON, longest first. */
const bySize = (value: JsonObject): [key: string, inner: unknown, length: number][] =>
  Object.entries(value)
    .map(([key, inner]): [string, unknown, number] => [key, inner, JSON.stringify(inner)?.length ?? 0])
    .sort((a, b) => b[2] - a[2])

/** When no text is long, the longest array loses its second half, and a count gives its original length. */
function withHalfOfLongestArray(value: JsonObject): JsonObject | undefined {
  const [largest] = bySize(value)
  if (largest === undefined || !Array.isArray(largest[1]) || largest[1].length < 2) return undefined
  const [key, all] = largest
  const kept = (all as unknown[]).slice(0, Math.ceil(largest[1].length / 2))
  const last = kept.at(-1)
  return {
    ...value,
    [key]: kept,
    [`${key}_count`]: value[`${key}_count`] ?? largest[1].length,
    // The caller asks for the events that follow with the number of the last one shown.
    ...('last_event_id' in value && isObject(last) && 'id' in last && { last_event_id: last.id }),
    ...('last_sequence' in value &&
      isObject(last) &&
      'sequence' in last && { last_sequence: last.sequence, more: true }),
  }
}

/** Otherwise the largest member is dropped and named in `_omitted`; the caller can ask for it with `fields`. */
function withoutLargestMember(value: JsonObject): JsonObject | undefined {
  const largest = bySize(value).find(([key]) => !key.startsWith('_'))
  if (largest === undefined) return undefined
  const { [largest[0]]: _, _omitted, ...rest } = value
  return { ...rest, _omitted: [...(Array.isArray(_omitted) ? _omitted : []), largest[0]] }
}

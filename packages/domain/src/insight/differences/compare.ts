import type { RecordDiff } from '@specboard/contract'
import type { z } from 'zod'
import { sameJson } from '../../lib/json.ts'
import { type Effort, wordParts } from './words.ts'

/** The difference in one field (board 5). */
export type FieldDiff = z.output<typeof RecordDiff>['fields'][number]

const nothing = { parts: null, added: null, removed: null, changed: null, moved: null }

/** The differences between two values of a field: texts word by word, lists by the ids or texts of their items. */
export function fieldDiff(field: string, old: unknown, now: unknown, effort: Effort): FieldDiff {
  const values = { field, old, new: now, ...nothing }
  if (isEither(isText, old) && isEither(isText, now))
    return { ...values, parts: wordParts(old ?? '', now ?? '', effort) }
  if (isEither(isList, old) && isEither(isList, now)) return { ...values, ...listDiff(old ?? [], now ?? []) }
  return values
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isEither = <Type>(is: (value: unknown) => value is Type, value: unknown): value is Type | null =>
  value === null || is(value)

/** The items of a list by key: the id, or the text together with the number of equal texts before it. */
function keyed(list: readonly unknown[]): Map<string, unknown> {
  const items = new Map<string, unknown>()
  const counts = new Map<string, number>()
  for (const item of list) {
    const name = nameOf(item)
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    items.set(count === 0 ? name : `${name}\n${count}`, item)
  }
  return items
}

const idOf = (item: unknown): string | undefined => {
  const id = (item as { readonly id?: unknown } | null)?.id
  return typeof id === 'string' ? id : undefined
}

const nameOf = (item: unknown): string => idOf(item) ?? (isText(item) ? item : JSON.stringify(item))

function listDiff(
  old: readonly unknown[],
  now: readonly unknown[],
): Omit<FieldDiff, 'field' | 'old' | 'new' | 'parts'> {
  const [before, after] = [keyed(old), keyed(now)]
  const stayed = [...after.keys()].filter(key => before.has(key))
  return {
    added: [...after].filter(([key]) => !before.has(key)).map(([, item]) => item),
    removed: [...before].filter(([key]) => !after.has(key)).map(([, item]) => item),
    changed: stayed
      .filter(key => !sameJson(before.get(key), after.get(key)))
      .map(key => ({ id: nameOf(after.get(key)), old: before.get(key), new: after.get(key) })),
    moved: movedAmong([...before.keys()], stayed).map(key => nameOf(after.get(key))),
  }
}

/** The smallest set of keys whose position relative to the others has changed, in their new order. */
function movedAmong(before: readonly string[], stayed: readonly string[]): string[] {
  const places = new Map(before.map((key, place) => [key, place]))
  const rising = longestRising(stayed.map(key => places.get(key)!))
  return stayed.filter((_, index) => !rising.has(index))
}

/** The indexes of a longest increasing subsequence of distinct numbers. */
export function longestRising(numbers: readonly number[]): Set<number> {
  /** For each length, the index of the smallest number that ends a subsequence of it. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (numbers[ends[middle]!]! < number) low = middle + 1
      else high = middle
    }
    previous.push(ends[low - 1])
    ends[low] = index
  }
  const indexes = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) indexes.add(index)
  return indexes
}

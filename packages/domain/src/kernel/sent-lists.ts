/** Lists sent by an update: whether elements that they leave out are kept or removed (crew 1.2, 1.3). */
import { type IssueItem, issueItem, issueItems, type Lists, maxElements } from '@specboard/contract'
import type { z } from 'zod'
import { InvalidInput } from './errors.ts'

/** Whether a list replaces or merges. */
export type Mode = z.output<typeof Lists>

type Item = Readonly<Record<string, unknown>>

/** Completes a sent element, using the stored element with its id. */
type Whole = (sent: unknown, stored: unknown, index: number) => unknown

/** The `id` of an element; undefined for a text, and for an item without one. */
export function idOf(element: unknown): string | undefined {
  if (typeof element !== 'object' || element === null) return undefined
  const { id } = element as Item
  return typeof id === 'string' ? id : undefined
}

/**
 * The list that results from a sent one and the stored one. `replace`: the elements in the order in which they were
 * sent. `merge`: every stored element keeps its place, changed if it was sent, and new ones follow. An empty list
 * clears it under both. Texts are identified by themselves.
 */
export function listAfter(
  stored: readonly unknown[],
  sent: readonly unknown[],
  mode: Mode,
  whole: Whole = same => same,
): unknown[] {
  const byId = new Map(stored.map(element => [idOf(element), element]))
  byId.delete(undefined)
  const wholes = sent.map((element, index) => whole(element, byId.get(idOf(element)), index))
  return mode === 'replace' || sent.length === 0 ? wholes : merged(stored, wholes)
}

function merged(stored: readonly unknown[], sent: readonly unknown[]): unknown[] {
  const result = [...stored]
  const places = new Map(stored.map((element, place) => [nameOf(element), place]))
  const changed = new Set<number>()
  for (const element of sent) {
    const name = nameOf(element)
    const place = name === undefined ? undefined : places.get(name)
    // A second element with the same id is not merged: the rules of the list refuse it.
    if (place === undefined || (changed.has(place) && typeof element !== 'string')) {
      if (typeof element === 'string') places.set(element, result.length)
      result.push(element)
    } else {
      result[place] = element
      changed.add(place)
    }
  }
  return result
}

const nameOf = (element: unknown): unknown => (typeof element === 'string' ? element : idOf(element))

/** A body with lists as they will be stored, without the members that say how to apply them. */
export type WithLists<Body, Items> = Omit<Body, 'lists' | 'allow_removal' | 'expected_rev' | keyof Items> & {
  [Name in keyof Items & keyof Body]?: (Items[Name] extends z.ZodType ? z.output<Items[Name]> : never)[] | null
}

/**
 * The body of an update with its lists as they will be stored: a stored item keeps the members that were left out, a
 * new one gets their defaults (crew 1.2).
 * @param items the schemas of the lists whose elements are items
 * @throws InvalidInput for a new item that lacks a required member
 */
export function withLists<
  Body extends { readonly lists?: Mode; readonly allow_removal?: boolean },
  Items extends Readonly<Record<string, z.ZodType>>,
>(before: Readonly<Record<string, unknown>>, body: Body, items: Items): WithLists<Body, Items> {
  const { lists: mode = 'replace', allow_removal: _, ...sent } = body
  const faults: IssueItem[] = []
  const fields = Object.entries(sent).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, value]
    const stored = Array.isArray(before[name]) ? before[name] : []
    const schema = Object.hasOwn(items, name) ? items[name] : undefined
    const after = listAfter(stored, value, mode, schema === undefined ? undefined : wholeItem(name, schema, faults))
    faults.push(...tooLong(name, stored, after))
    return [name, after]
  })
  if (faults.length > 0) throw new InvalidInput(faults)
  return Object.fromEntries(fields) as WithLists<Body, Items>
}

/** The fault of a list that has grown beyond the limit of a list in a request (walls 3, rule 2). */
export const tooLong = (list: string, before: readonly unknown[], after: readonly unknown[]): IssueItem[] =>
  after.length <= maxElements || after.length <= before.length
    ? []
    : [
        issueItem(['body', list], 'too_long', `must have at most ${maxElements} elements`, {
          max_length: maxElements,
        }),
      ]

/** Completes the items of a list; the required members that a new one lacks are added to `faults`. */
export const wholeItem =
  (list: string, schema: z.ZodType, faults: IssueItem[]): Whole =>
  (sent, stored, index) => {
    if (typeof sent !== 'object' || sent === null) return sent
    if (stored !== undefined) return { ...(stored as Item), ...sent }
    const parsed = schema.safeParse(sent)
    if (parsed.success) return parsed.data
    for (const { loc, ...item } of issueItems('body', schema, parsed.error.issues, sent))
      faults.push({ ...item, loc: ['body', list, index, ...loc.slice(1)] })
    return sent
  }

/** Lists that an update sends: what they leave out is kept, or goes (crew 1.2, 1.3). */
import { type IssueItem, issueItem, issueItems, type Lists, mostElements } from '@specboard/contract'
import type { z } from 'zod'
import { InvalidInput } from './errors.ts'

/** How a list is meant. */
export type Mode = z.output<typeof Lists>

type Item = Readonly<Record<string, unknown>>

/** Makes a whole element of a sent one, and of the stored element with its id. */
type Whole = (sent: unknown, stored: unknown, index: number) => unknown

/** The `id` of an element; undefined of a text, and of an item without one. */
export function idOf(element: unknown): string | undefined {
  if (typeof element !== 'object' || element === null) return undefined
  const { id } = element as Item
  return typeof id === 'string' ? id : undefined
}

/**
 * The list that a sent one makes of the stored one. `replace`: the elements in the order in which they were sent.
 * `merge`: every stored element keeps its place, changed where it is named, and new ones follow. An empty list empties
 * it under both. Texts are named by themselves.
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
    // A second element of one id is not merged: the rules of the list refuse it.
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

/** A body with lists as they will be stored, without the members that say how they are meant. */
export type WithLists<Body, Items> = Omit<Body, 'lists' | 'allow_removal' | 'expected_rev' | keyof Items> & {
  [Name in keyof Items & keyof Body]?: (Items[Name] extends z.ZodType ? z.output<Items[Name]> : never)[] | null
}

/**
 * The body of an update with its lists as they will be stored: an item that is stored keeps the members that were left
 * out, a new one gets their defaults (crew 1.2).
 * @param items the schemas of the lists whose elements are items
 * @throws InvalidInput for a new item that lacks what it must have
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

/** The fault of a list that has grown beyond the limit of one that is sent (walls 3, rule 2). */
export const tooLong = (list: string, before: readonly unknown[], after: readonly unknown[]): IssueItem[] =>
  after.length <= mostElements || after.length <= before.length
    ? []
    : [
        issueItem(['body', list], 'too_long', `must have at most ${mostElements} elements`, {
          max_length: mostElements,
        }),
      ]

/** Makes whole items of a list; what a new one lacks goes to `faults`. */
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

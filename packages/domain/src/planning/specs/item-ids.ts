/** The ids that the service gives to items of specs (crew 1.1). */
import type { ItemList } from '@specboard/contract'
import type { SpecRecord } from './store.ts'

/** The prefix of the ids of a list. */
const prefixes: Readonly<Record<ItemList, string>> = {
  test_scenarios: 't',
  business_rules: 'r',
  api_contracts: 'c',
  decisions: 'd',
  technical_requirements: 'tr',
  screen_mockups: 'm',
}

/** The lists of items, in the order in which put_spec_items names them. */
export const itemLists = Object.keys(prefixes) as readonly ItemList[]

/** Numbers of removed items, by list: they are never given to other items. */
export type RemovedNumbers = Readonly<Partial<Record<ItemList, readonly number[]>>>

/** The number in an id of the service's own form; undefined for another id. */
function numberIn(list: ItemList, id: string): number | undefined {
  const prefix = prefixes[list]
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : ''
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined
}

/** The ids of a list's items; a plain text has none. */
export const idsOf = (items: readonly (string | { readonly id: string })[] | null): string[] =>
  (items ?? []).flatMap(item => (typeof item === 'string' ? [] : [item.id]))

/**
 * Gives ids to new items of a list: each gets the lowest number that no item ever had.
 * @param existing the ids of the list, and those that come with the same write
 */
export function* newIds(list: ItemList, existing: Iterable<string>, removed: RemovedNumbers): Generator<string, never> {
  const used = new Set(removed[list])
  for (const id of existing) {
    const number = numberIn(list, id)
    if (number !== undefined) used.add(number)
  }
  for (let number = 1; ; number++) if (!used.has(number)) yield `${prefixes[list]}${number}`
}

/** The numbers of removed items after a write, without those that have been added again. */
export function removedNumbers(
  before: Pick<SpecRecord, ItemList | 'removed_item_numbers'>,
  after: Pick<SpecRecord, ItemList>,
): RemovedNumbers | null {
  const all: Partial<Record<ItemList, readonly number[]>> = { ...before.removed_item_numbers }
  for (const list of itemLists) {
    const remaining = new Set(idsOf(after[list]))
    const numbers = idsOf(before[list]).flatMap(id => (remaining.has(id) ? [] : (numberIn(list, id) ?? [])))
    if (numbers.length > 0) all[list] = [...new Set([...(all[list] ?? []), ...numbers])].toSorted((a, b) => a - b)
  }
  return Object.keys(all).length === 0 ? null : all
}

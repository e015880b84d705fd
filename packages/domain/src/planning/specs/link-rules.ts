import { issueItem } from '@specboard/contract'
import { blocked, InvalidInput } from '../../kernel/errors.ts'
import { type LinkableList, type Linkables, linkableLists } from './items.ts'

/** The lists changed by a change of links. */
export type ChangedLists = Partial<Linkables>

/** Something that can have links. */
interface Linkable {
  readonly linked_task_ids?: readonly string[] | null | undefined
}

interface LinkedItem {
  readonly id: string
  readonly linked_task_ids: string[] | null
}

/** Changes the links of a list's items; undefined when none of them change. */
function relinked<Item>(
  list: readonly Item[] | null,
  linksOf: (item: LinkedItem) => readonly string[] | null,
): Item[] | undefined {
  let changed = false
  const items = (list ?? []).map(item => {
    if (typeof item === 'string') return item
    const before = item as LinkedItem
    const links = linksOf(before)
    if (links === before.linked_task_ids) return item
    changed = true
    return { ...item, linked_task_ids: links }
  })
  return changed ? (items as Item[]) : undefined
}

function changedLists(
  lists: Linkables,
  names: readonly LinkableList[],
  linksOf: (item: LinkedItem, list: LinkableList) => readonly string[] | null,
): ChangedLists {
  const changed = names.flatMap(name => {
    const list = relinked<unknown>(lists[name], item => linksOf(item, name))
    return list === undefined ? [] : [[name, list]]
  })
  return Object.fromEntries(changed) as ChangedLists
}

const added = (links: string[] | null, cardId: string) => (links?.includes(cardId) ? links : [...(links ?? []), cardId])

const removed = (links: string[] | null, cardId: string) =>
  links?.includes(cardId) ? links.filter(id => id !== cardId) : links

/** A list after a card is linked to some of its items, by default scenarios, with its id at the end. */
export const linkedTo = (
  lists: Linkables,
  cardId: string,
  itemIds: readonly string[],
  list: LinkableList = 'test_scenarios',
): ChangedLists => {
  const named = new Set(itemIds)
  return changedLists(lists, [list], ({ id, linked_task_ids }) =>
    named.has(id) ? added(linked_task_ids, cardId) : linked_task_ids,
  )
}

/** A list after a card is unlinked from some of its items, by default scenarios. */
export const unlinkedFrom = (
  lists: Linkables,
  cardId: string,
  itemIds: readonly string[],
  list: LinkableList = 'test_scenarios',
): ChangedLists => {
  const named = new Set(itemIds)
  return changedLists(lists, [list], ({ id, linked_task_ids }) =>
    named.has(id) ? removed(linked_task_ids, cardId) : linked_task_ids,
  )
}

/** The lists after a card is unlinked from every item of the spec. */
export const withoutCard = (lists: Linkables, cardId: string): ChangedLists =>
  changedLists(lists, linkableLists, ({ linked_task_ids }) => removed(linked_task_ids, cardId))

/** The lists after a bug is linked wherever its origin is linked (cards 7.1). */
export const inherited = (lists: Linkables, originId: string, bugId: string): ChangedLists =>
  changedLists(lists, linkableLists, ({ linked_task_ids }) =>
    linked_task_ids?.includes(originId) ? added(linked_task_ids, bugId) : linked_task_ids,
  )

/** The ids of the scenarios that a card is linked to, in the order of the spec. */
export const scenariosOf = ({ test_scenarios }: Pick<Linkables, 'test_scenarios'>, cardId: string): string[] =>
  (test_scenarios ?? []).filter(scenario => scenario.linked_task_ids?.includes(cardId)).map(scenario => scenario.id)

/** The ids of the scenarios of each linked card, in the order of the spec. */
export function scenariosByCard({ test_scenarios }: Pick<Linkables, 'test_scenarios'>): Map<string, string[]> {
  const byCard = new Map<string, string[]>()
  for (const { id, linked_task_ids } of test_scenarios ?? [])
    for (const cardId of new Set(linked_task_ids)) {
      const ids = byCard.get(cardId) ?? []
      byCard.set(cardId, ids)
      ids.push(id)
    }
  return byCard
}

/**
 * A card's `test_scenario_ids` after its spec's scenarios change: first the remaining ids, then the new ones.
 * @param now the ids of its scenarios, in the order of the spec
 */
export function idsAfter(before: readonly string[], now: readonly string[]): string[] {
  const [had, has] = [new Set(before), new Set(now)]
  return [...before.filter(id => has.has(id)), ...now.filter(id => !had.has(id))]
}

/** Maximum number of links of the items of a spec, of all lists together (walls 3, rule 2). */
const maxLinks = 20_000

/** The links of the items of a spec, of all lists together. */
export const linkCount = (lists: { readonly [List in LinkableList]?: readonly (string | Linkable)[] | null }): number =>
  linkableLists
    .flatMap(list => lists[list] ?? [])
    .reduce((count, item) => count + (typeof item === 'string' ? 0 : (item.linked_task_ids?.length ?? 0)), 0)

/**
 * Refuses links beyond the limit, unless the spec already had as many.
 * @param before 0 for a new spec
 * @throws InvalidInput
 */
export function checkLinkCount(before: number, after: number): void {
  if (after <= maxLinks || after <= before) return
  const message = `The items of a spec may have at most ${maxLinks} links together; these would have ${after}. Split the spec.`
  throw new InvalidInput([issueItem(['body', 'linked_task_ids'], 'too_long', message, { max_length: maxLinks })])
}

/**
 * Refuses new links of a card beyond the board's `max_scenarios_per_card`; its existing links are never refused
 * (specs 8).
 * @param cardId null for a new card
 * @throws DomainError SCENARIO_LIMIT with `card_id`, `limit` and `count`, the number of links it would have
 */
export function checkScenarioLimit(
  cardId: string | null,
  before: readonly string[],
  after: readonly string[],
  limit: number,
): void {
  const had = new Set(before)
  const count = new Set(after).size
  if (count <= limit || after.every(id => had.has(id))) return
  throw blocked(
    'SCENARIO_LIMIT',
    `A card of this board can be in at most ${limit} test scenarios; this one would be in ${count}. Split it, or raise max_scenarios_per_card of the board.`,
    { card_id: cardId, limit, count },
  )
}

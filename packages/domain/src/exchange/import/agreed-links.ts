import { linkableLists } from '../../planning/specs/items.ts'
import { type Offender, type Referring, referenceOffenders } from '../../planning/specs/references.ts'

/** The lists of a spec that refer to one another and to cards. */
export const referringLists = ['functional_requirements', 'acceptance_criteria', ...linkableLists] as const

/** A spec's end of its links. */
export type SpecEnd = Pick<Referring, (typeof referringLists)[number]>

/** A card's end of its links. */
export interface CardEnd {
  readonly id: string
  readonly test_scenario_ids: readonly string[]
}

/** The changes to a spec and its cards that make their links agree. */
export interface LinkChanges {
  readonly lists: Partial<SpecEnd>
  readonly cards: readonly CardEnd[]
}

type Item = Readonly<Record<string, unknown>> & { readonly id: string }

/**
 * The links of a spec and of its cards as both ends have them (specs 8): the card's side wins, and dangling links are
 * removed. Links that agree are unchanged.
 * @param cards all cards of the spec
 */
export function agreedLinks(spec: SpecEnd, cards: readonly CardEnd[]): LinkChanges {
  const ids = new Set(cards.map(({ id }) => id))
  const offenders = referenceOffenders({ ...spec, screen_mockups: null }, id => ids.has(id))
  const offendersOf = Map.groupBy(offenders, ({ owner }) => owner)
  const scenarios = new Set((spec.test_scenarios ?? []).map(({ id }) => id))
  const named = (card: CardEnd) => card.test_scenario_ids.filter(id => scenarios.has(id))
  const byScenario = Map.groupBy(
    cards.flatMap(card => named(card).map(scenario => ({ scenario, card: card.id }))),
    ({ scenario }) => scenario,
  )
  const lists = Object.fromEntries(
    linkableLists.flatMap(list => {
      const items = spec[list] as readonly (string | Item)[] | null
      const agreed = items?.map(item => {
        if (typeof item === 'string') return item
        const stripped = without(item, offendersOf.get(`${list}.${item.id}`) ?? [])
        if (list !== 'test_scenarios') return stripped
        return linkedTo(
          stripped,
          (byScenario.get(item.id) ?? []).map(({ card }) => card),
        )
      })
      return agreed === undefined || agreed.every((item, at) => item === items![at]) ? [] : [[list, agreed]]
    }),
  ) as LinkChanges['lists']
  return {
    lists,
    cards: cards.flatMap(card => {
      const test_scenario_ids = named(card)
      return test_scenario_ids.length === card.test_scenario_ids.length ? [] : [{ id: card.id, test_scenario_ids }]
    }),
  }
}

/** An item without some of its references. */
function without(item: Item, offenders: readonly Offender[]): Item {
  if (offenders.length === 0) return item
  const fields = [...Map.groupBy(offenders, ({ field }) => field)].map(([field, found]) => {
    const [references, removed] = [item[field], new Set<unknown>(found.map(({ reference }) => reference))]
    return [field, Array.isArray(references) ? references.filter(one => !removed.has(one)) : null]
  })
  return { ...item, ...Object.fromEntries(fields) }
}

/** A scenario linked to some cards: first those that it already has, in their order, then the others. */
function linkedTo(scenario: Item, cards: readonly string[]): Item {
  const had = (scenario.linked_task_ids ?? []) as readonly string[]
  const [linked, before] = [new Set(cards), new Set(had)]
  const links = [...had.filter(id => linked.has(id)), ...cards.filter(id => !before.has(id))]
  const isSame = links.length === had.length && links.every((id, at) => id === had[at])
  return isSame ? scenario : { ...scenario, linked_task_ids: links }
}

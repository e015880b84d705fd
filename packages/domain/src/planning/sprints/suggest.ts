import { byCodePoint } from '../../lib/text-order.ts'

/** A card that a suggestion may contain. */
export interface Candidate {
  readonly id: string
  readonly title: string
  readonly test_scenario_ids: readonly string[]
  readonly depends_on: readonly string[]
}

/** The fields of a spec that suggestions depend on. */
export interface SuggestedSpec {
  readonly test_scenarios: readonly { readonly id: string; readonly linked_criteria: readonly string[] | null }[] | null
  readonly business_rules:
    | readonly {
        readonly id: string
        readonly linked_requirements: readonly string[] | null
        readonly linked_task_ids: readonly string[] | null
      }[]
    | null
}

/**
 * Divides the open cards of a spec into sprints of at most `threshold` cards: cards of one criterion together, each
 * card after its dependencies (planning 1.8).
 * @param candidates ordered by `created_at`, then `id`
 */
export function suggestSprints(candidates: readonly Candidate[], spec: SuggestedSpec, threshold: number) {
  const sequence = inDependencyOrder(grouped(candidates, spec), candidates)
  const slices = Array.from({ length: Math.ceil(sequence.length / threshold) }, (_, index) =>
    sequence.slice(index * threshold, (index + 1) * threshold),
  )
  return slices.map((cards, index) => suggestion(cards, index + 1, spec))
}

const scenariosOf = (card: Candidate, { test_scenarios }: SuggestedSpec) =>
  (test_scenarios ?? []).filter(scenario => card.test_scenario_ids.includes(scenario.id))

const criteriaOf = (card: Candidate, spec: SuggestedSpec): string[] =>
  scenariosOf(card, spec).flatMap(scenario => scenario.linked_criteria ?? [])

/** The cards grouped by smallest criterion; groups are in the order of their first card, cards without one are last. */
function grouped(candidates: readonly Candidate[], spec: SuggestedSpec): Candidate[] {
  const groups = Map.groupBy(candidates, card => criteriaOf(card, spec).sort(byCodePoint)[0])
  const ungrouped = groups.get(undefined) ?? []
  groups.delete(undefined)
  return [...[...groups.values()].flat(), ...ungrouped]
}

/** The cards of a sequence, each after its dependencies among the candidates, depth first. */
function inDependencyOrder(sequence: readonly Candidate[], candidates: readonly Candidate[]): Candidate[] {
  const rank = new Map(candidates.map((card, index) => [card.id, index]))
  const placed = new Set<Candidate>()
  const order: Candidate[] = []
  const place = (card: Candidate): void => {
    if (placed.has(card)) return
    placed.add(card)
    const before = card.depends_on.flatMap(id => rank.get(id) ?? []).sort((a, b) => a - b)
    for (const index of before) place(candidates[index]!)
    order.push(card)
  }
  for (const card of sequence) place(card)
  return order
}

const sortedOrNull = (ids: Iterable<string>): string[] | null => {
  const sorted = [...new Set(ids)].sort(byCodePoint)
  return sorted.length === 0 ? null : sorted
}

function suggestion(cards: readonly Candidate[], number: number, spec: SuggestedSpec) {
  const ids = cards.map(card => card.id)
  const criteria = new Set(cards.flatMap(card => criteriaOf(card, spec)))
  const rules = (spec.business_rules ?? []).filter(
    rule =>
      rule.linked_task_ids?.some(id => ids.includes(id)) ||
      rule.linked_requirements?.some(entry => criteria.has(entry)),
  )
  return {
    title: `Sprint ${number}`,
    description: cards.length === 1 ? '1 card' : `${cards.length} cards`,
    card_ids: ids,
    card_titles: cards.map(card => card.title),
    test_scenario_ids: sortedOrNull(cards.flatMap(card => scenariosOf(card, spec).map(scenario => scenario.id))),
    business_rule_ids: sortedOrNull(rules.map(rule => rule.id)),
  }
}

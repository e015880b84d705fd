import { refuseProduct } from '../../kernel/product-cost.ts'
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
 * @throws InvalidInput when too many sprints would have to be compared with too many links
 */
export function suggestSprints(candidates: readonly Candidate[], spec: SuggestedSpec, threshold: number) {
  const scenarios = scenariosById(spec)
  const sprints = Math.ceil(candidates.length / threshold)
  refuseProduct(['query', 'threshold'], [sprints, linksOf(spec)], 'Ask for more cards per sprint, or split the spec.')
  const sequence = inDependencyOrder(grouped(candidates, scenarios), candidates)
  const slices = Array.from({ length: Math.ceil(sequence.length / threshold) }, (_, index) =>
    sequence.slice(index * threshold, (index + 1) * threshold),
  )
  return slices.map((cards, index) => suggestion(cards, index + 1, { spec, scenarios }))
}

/** The number of references from a spec's items to criteria, requirements and cards. */
const linksOf = ({ test_scenarios, business_rules }: SuggestedSpec): number =>
  (test_scenarios ?? []).reduce((sum, { linked_criteria }) => sum + 1 + (linked_criteria?.length ?? 0), 0) +
  (business_rules ?? []).reduce(
    (sum, rule) => sum + 1 + (rule.linked_requirements?.length ?? 0) + (rule.linked_task_ids?.length ?? 0),
    0,
  )

/** A scenario with what it tests, and the first of its criteria. */
interface Testing {
  readonly id: string
  readonly criteria: readonly string[]
  readonly smallest: string | undefined
}

type Scenarios = ReadonlyMap<string, Testing>

const smallestOf = (texts: readonly string[]): string | undefined => texts.toSorted(byCodePoint)[0]

const scenariosById = ({ test_scenarios }: SuggestedSpec): Scenarios =>
  new Map(
    (test_scenarios ?? []).map(({ id, linked_criteria }) => {
      const criteria = linked_criteria ?? []
      return [id, { id, criteria, smallest: smallestOf(criteria) }]
    }),
  )

const scenariosOf = ({ test_scenario_ids }: Candidate, scenarios: Scenarios): Testing[] =>
  test_scenario_ids.flatMap(id => scenarios.get(id) ?? [])

const criterionOf = (card: Candidate, scenarios: Scenarios): string | undefined =>
  smallestOf(scenariosOf(card, scenarios).flatMap(({ smallest }) => smallest ?? []))

/** The cards grouped by smallest criterion; groups are in the order of their first card, cards without one are last. */
function grouped(candidates: readonly Candidate[], scenarios: Scenarios): Candidate[] {
  const groups = Map.groupBy(candidates, card => criterionOf(card, scenarios))
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

function suggestion(
  cards: readonly Candidate[],
  number: number,
  { spec, scenarios }: { readonly spec: SuggestedSpec; readonly scenarios: Scenarios },
) {
  const ids = new Set(cards.map(card => card.id))
  const tested = new Set(cards.flatMap(card => scenariosOf(card, scenarios)))
  const criteria = new Set([...tested].flatMap(scenario => scenario.criteria))
  const rules = (spec.business_rules ?? []).filter(
    rule =>
      rule.linked_task_ids?.some(id => ids.has(id)) || rule.linked_requirements?.some(entry => criteria.has(entry)),
  )
  return {
    title: `Sprint ${number}`,
    description: cards.length === 1 ? '1 card' : `${cards.length} cards`,
    card_ids: [...ids],
    card_titles: cards.map(card => card.title),
    test_scenario_ids: sortedOrNull([...tested].map(scenario => scenario.id)),
    business_rule_ids: sortedOrNull(rules.map(rule => rule.id)),
  }
}

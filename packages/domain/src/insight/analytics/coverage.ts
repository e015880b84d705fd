import { technicalItems } from '../../planning/specs/items.ts'
import type { SpecRecord } from '../../planning/specs/store.ts'
import { firstResembling, type Resembles } from '../resembling.ts'
import { percent } from './measures.ts'

/** The fields of a spec that its coverage is measured from. */
export type CoveredSpec = Pick<
  SpecRecord,
  | 'functional_requirements'
  | 'technical_requirements'
  | 'acceptance_criteria'
  | 'test_scenarios'
  | 'business_rules'
  | 'api_contracts'
  | 'decisions'
  | 'skip_test_coverage'
  | 'skip_rules_coverage'
  | 'skip_decisions_coverage'
>

/** An exact match wins; otherwise the first text that begins with the reference, or that the reference begins with. */
const asCriterion: Resembles = (text, reference) => text.startsWith(reference) || reference.startsWith(text)
/** An exact match wins; otherwise the first text that contains the reference or is contained in it. */
const asRequirement: Resembles = (text, reference) => text.includes(reference) || reference.includes(text)

/** The indexes that references resolve to, by index or text; unknown ones are ignored, and none counts twice (B.1). */
function placesOf(
  references: readonly (string | number)[],
  texts: readonly string[],
  resembles: Resembles,
): ReadonlySet<number> {
  const trimmed = texts.map(text => text.trim())
  const equal = new Map(trimmed.map((text, place) => [text, place] as const).toReversed())
  const resembling = firstResembling(trimmed, (text, reference) => text !== '' && resembles(text, reference))
  const placeOf = (reference: string): number | undefined => {
    if (reference === '') return undefined
    if (/^\d+$/.test(reference)) return Number(reference) < texts.length ? Number(reference) : equal.get(reference)
    return equal.get(reference) ?? resembling(reference)
  }
  const places = [...new Set(references.map(named => String(named).trim()))].map(placeOf)
  return new Set(places.filter(place => place !== undefined))
}

/** The indexes of the acceptance criteria that scenarios refer to. */
export const coveredCriteria = (spec: Pick<CoveredSpec, 'acceptance_criteria' | 'test_scenarios'>) =>
  placesOf(
    (spec.test_scenarios ?? []).flatMap(scenario => scenario.linked_criteria ?? []),
    spec.acceptance_criteria ?? [],
    asCriterion,
  )

/** The indexes of the functional requirements that rules or contracts refer to. */
export const namedRequirements = (
  items: readonly { readonly linked_requirements: readonly string[] | null }[] | null,
  requirements: readonly string[] | null,
) =>
  placesOf(
    (items ?? []).flatMap(item => item.linked_requirements ?? []),
    requirements ?? [],
    asRequirement,
  )

/** The indexes of a list that are not covered, ascending. */
const uncovered = (length: number, covered: ReadonlySet<number>): number[] =>
  Array.from({ length }, (_, index) => index).filter(index => !covered.has(index))

/**
 * The coverage summary of a spec (B.1).
 * @param cards ids of its counting cards: neither archived nor cancelled
 */
export function coverageSummary(spec: CoveredSpec, cards: ReadonlySet<string>) {
  const criteria = coveredCriteria(spec)
  const requirements = namedRequirements(spec.business_rules, spec.functional_requirements)
  const total = { ac: spec.acceptance_criteria?.length ?? 0, fr: spec.functional_requirements?.length ?? 0 }
  const isLinked = (item: { readonly linked_task_ids: readonly string[] | null }) =>
    (item.linked_task_ids ?? []).some(id => cards.has(id))
  const scenarios = spec.test_scenarios ?? []
  const rules = spec.business_rules ?? []
  const contracts = spec.api_contracts ?? []
  const technical = technicalItems(spec.technical_requirements)
  const decisions = (spec.decisions ?? []).filter(decision => decision.status === 'active')
  const linked = {
    scenarios: scenarios.filter(isLinked).length,
    rules: rules.filter(isLinked).length,
    contracts: contracts.filter(isLinked).length,
    technical: technical.filter(isLinked).length,
    decisions: decisions.filter(isLinked).length,
  }
  return {
    ac_total: total.ac,
    ac_covered: criteria.size,
    ac_uncovered_indices: uncovered(total.ac, criteria),
    ac_coverage_pct: percent(criteria.size, total.ac, 100),
    fr_total: total.fr,
    fr_covered: requirements.size,
    fr_uncovered_indices: uncovered(total.fr, requirements),
    fr_coverage_pct: percent(requirements.size, total.fr, 100),
    scenarios_total: scenarios.length,
    scenarios_linked: linked.scenarios,
    scenario_task_linkage_pct: percent(linked.scenarios, scenarios.length, 100),
    brs_total: rules.length,
    brs_linked: linked.rules,
    br_task_linkage_pct: percent(linked.rules, rules.length, 100),
    contracts_total: contracts.length,
    contracts_linked: linked.contracts,
    contract_task_linkage_pct: percent(linked.contracts, contracts.length, 100),
    trs_total: technical.length,
    trs_linked: linked.technical,
    tr_task_linkage_pct: percent(linked.technical, technical.length, 100),
    decisions_total: decisions.length,
    decisions_linked: linked.decisions,
    decisions_coverage_pct: percent(linked.decisions, decisions.length, 100),
    decisions_uncovered_ids: decisions.filter(decision => !isLinked(decision)).map(decision => decision.id),
    skip_test_coverage: spec.skip_test_coverage,
    skip_rules_coverage: spec.skip_rules_coverage,
    skip_decisions_coverage: spec.skip_decisions_coverage,
  }
}

/** How many scenarios have each status; statuses that do not occur are left out. */
export function scenarioStatuses(scenarios: CoveredSpec['test_scenarios']) {
  const counts: Partial<Record<NonNullable<CoveredSpec['test_scenarios']>[number]['status'], number>> = {}
  for (const { status } of scenarios ?? []) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

import type { Card, Records, Spec } from '../records.ts'
import { count, rate, tally } from './formulas.ts'

/** References are indices or exact texts, as the service requires. */
const named = (references: readonly (string | number)[], texts: readonly string[]) =>
  new Set(
    references.map(reference =>
      /^\d+$/.test(String(reference)) ? Number(reference) : texts.indexOf(String(reference)),
    ),
  )

/** The indices of a spec's criteria and requirements that scenarios, rules and contracts name. */
export function namedPlaces(spec: Spec) {
  const requirements = spec.functional_requirements ?? []
  return {
    covered: named(
      (spec.test_scenarios ?? []).flatMap(scenario => scenario.linked_criteria ?? []),
      spec.acceptance_criteria ?? [],
    ),
    ruled: named(
      (spec.business_rules ?? []).flatMap(rule => rule.linked_requirements ?? []),
      requirements,
    ),
    contracted: named(
      (spec.api_contracts ?? []).flatMap(item => item.linked_requirements ?? []),
      requirements,
    ),
  }
}

const without = (texts: readonly string[], places: ReadonlySet<number>) =>
  [...texts.keys()].filter(place => !places.has(place))

/** The coverage summary of a spec. */
export function coverageSummary(spec: Spec, cards: readonly Card[]) {
  const counting = cards.filter(card => card.spec_id === spec.id && card.status !== 'cancelled').map(card => card.id)
  const isLinked = (item: { linked_task_ids: readonly string[] | null }) =>
    (item.linked_task_ids ?? []).some(id => counting.includes(id))
  const { covered, ruled } = namedPlaces(spec)
  const criteria = spec.acceptance_criteria ?? []
  const requirements = spec.functional_requirements ?? []
  const scenarios = spec.test_scenarios ?? []
  const rules = spec.business_rules ?? []
  const contracts = spec.api_contracts ?? []
  const technical = (spec.technical_requirements ?? []).filter(item => typeof item !== 'string')
  const active = (spec.decisions ?? []).filter(decision => decision.status === 'active')
  return {
    ac_total: criteria.length,
    ac_covered: covered.size,
    ac_uncovered_indices: without(criteria, covered),
    ac_coverage_pct: rate(covered.size, criteria.length, 100),
    fr_total: requirements.length,
    fr_covered: ruled.size,
    fr_uncovered_indices: without(requirements, ruled),
    fr_coverage_pct: rate(ruled.size, requirements.length, 100),
    scenarios_total: scenarios.length,
    scenarios_linked: count(scenarios, isLinked),
    scenario_task_linkage_pct: rate(count(scenarios, isLinked), scenarios.length, 100),
    brs_total: rules.length,
    brs_linked: count(rules, isLinked),
    br_task_linkage_pct: rate(count(rules, isLinked), rules.length, 100),
    contracts_total: contracts.length,
    contracts_linked: count(contracts, isLinked),
    contract_task_linkage_pct: rate(count(contracts, isLinked), contracts.length, 100),
    trs_total: technical.length,
    trs_linked: count(technical, isLinked),
    tr_task_linkage_pct: rate(count(technical, isLinked), technical.length, 100),
    decisions_total: active.length,
    decisions_linked: count(active, isLinked),
    decisions_coverage_pct: rate(count(active, isLinked), active.length, 100),
    decisions_uncovered_ids: active.filter(decision => !isLinked(decision)).map(decision => decision.id),
    skip_test_coverage: spec.skip_test_coverage,
    skip_rules_coverage: spec.skip_rules_coverage,
    skip_decisions_coverage: spec.skip_decisions_coverage,
  }
}

/** One row per spec, oldest first. */
export const coverage = ({ specs, cards }: Pick<Records, 'specs' | 'cards'>) =>
  specs.map(spec => {
    const summary = coverageSummary(spec, cards)
    const { ruled, contracted } = namedPlaces(spec)
    const statuses = (spec.test_scenarios ?? []).map(scenario => scenario.status)
    return {
      spec_id: spec.id,
      title: spec.title,
      total_ac: summary.ac_total,
      covered_ac: summary.ac_covered,
      total_scenarios: summary.scenarios_total,
      scenario_status_counts: tally([...new Set(statuses)], statuses),
      business_rules_count: summary.brs_total,
      api_contracts_count: summary.contracts_total,
      fr_with_rules_pct: rate(ruled.size, summary.fr_total, 0),
      fr_with_contracts_pct: rate(contracted.size, summary.fr_total, 0),
      ac_coverage_pct: summary.ac_coverage_pct,
      fr_coverage_pct: summary.fr_coverage_pct,
      decisions_coverage_pct: summary.decisions_coverage_pct,
      decisions_total: summary.decisions_total,
      tr_task_linkage_pct: summary.tr_task_linkage_pct,
      trs_total: summary.trs_total,
    }
  })

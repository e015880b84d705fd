import type { Context } from '../../../kernel/context.ts'
import { readSpec, type SpecRecord } from '../../../planning/specs/store.ts'
import { doneOf } from '../cards.ts'
import { coveredCriteria, namedRequirements } from '../coverage.ts'
import { type CardFact, readCardFacts, readSprintEvaluations, readSprintFacts, type SprintFact } from '../facts.ts'
import { allOfRecord } from '../population.ts'
import { requirementShare } from '../spec-coverage.ts'
import { completionRate } from '../tallies.ts'
import { meanCardCycle, meanScores } from './card-figures.ts'

const cardOf = (card: CardFact) => ({
  id: card.id,
  ref: card.ref,
  title: card.title,
  status: card.status,
  is_test: card.card_type === 'test',
  card_type: card.card_type,
  completeness: card.completeness,
  drift: card.drift,
  created_at: card.created_at,
  updated_at: card.updated_at,
})

const sprintOf = (sprint: SprintFact, cards: readonly CardFact[], evaluations: number) => ({
  sprint_id: sprint.id,
  title: sprint.title,
  status: sprint.status,
  tasks_total: cards.length,
  tasks_done: doneOf(cards).length,
  progress: completionRate({ done: doneOf(cards).length, total: cards.length }),
  ...meanScores(doneOf(cards)),
  avg_cycle_hours: meanCardCycle(cards),
  evaluations_count: evaluations,
})

/** The figures of a spec's own lists (B.13). */
function specLists(spec: SpecRecord) {
  const criteria = coveredCriteria(spec)
  const withRule = namedRequirements(spec.business_rules, spec.functional_requirements)
  const withContract = namedRequirements(spec.api_contracts, spec.functional_requirements)
  const texts = spec.acceptance_criteria ?? []
  const requirements = spec.functional_requirements ?? []
  return {
    total_ac: texts.length,
    covered_ac: criteria.size,
    ac_details: texts.map((text, index) => ({ index, text, covered: criteria.has(index) })),
    total_fr: requirements.length,
    fr_details: requirements.map((text, index) => ({
      index,
      text,
      has_rule: withRule.has(index),
      has_contract: withContract.has(index),
    })),
    scenario_statuses: (spec.test_scenarios ?? []).map(({ id, title, status }) => ({ id, title, status })),
  }
}

/** The figures of a spec (B.13). */
export async function specEntity(ctx: Context, id: string) {
  const spec = await readSpec(ctx.db, id)
  const cards = await readCardFacts(ctx.db, 'spec_id', allOfRecord(spec))
  const sprints = await readSprintFacts(ctx.db, 'spec_id', allOfRecord(spec))
  const evaluations = await readSprintEvaluations(ctx.db, 'spec_id', allOfRecord(spec))
  const bySprint = Map.groupBy(cards, card => card.sprint_id)
  return {
    spec_id: id,
    title: spec.title,
    status: spec.status,
    ...specLists(spec),
    cards: ctx.access.allows('CARDS_READ') ? cards.map(cardOf) : [],
    avg_cycle_hours: meanCardCycle(cards),
    derivation: { ideation_id: spec.ideation_id, refinement_id: spec.refinement_id },
    business_rules: spec.business_rules,
    api_contracts: spec.api_contracts,
    rules_coverage: requirementShare(spec.business_rules, spec.functional_requirements),
    contracts_coverage: requirementShare(spec.api_contracts, spec.functional_requirements),
    bugs_count: cards.filter(card => card.card_type === 'bug').length,
    sprints: ctx.access.allows('SPRINTS_READ')
      ? sprints.map(sprint => sprintOf(sprint, bySprint.get(sprint.id) ?? [], evaluations.get(sprint.id)?.length ?? 0))
      : [],
  }
}

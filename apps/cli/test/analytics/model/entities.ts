import type { Card, Ideation, Records, Refinement, Sprint } from '../records.ts'
import { namedPlaces } from './coverage.ts'
import { average, cardCycle, count, hereOf, isDone, lastReport, ofType, rate, round } from './formulas.ts'

/** The cards of a spec or sprint. */
export const of = (cards: readonly Card[], column: 'spec_id' | 'sprint_id', id: string) =>
  cards.filter(card => card[column] === id)

const progress = (cards: readonly Card[]) => rate(count(cards, isDone), cards.length, 0)

const shownCycle = (card: Card) => {
  const cycle = cardCycle(card)
  return cycle === null ? null : round(cycle)
}

/** What the last conclusion of a card reports. */
export const reports = (card: Card) => ({
  completeness: lastReport(card)?.completeness ?? null,
  drift: lastReport(card)?.drift ?? null,
})

const reportsOrFindings = (card: Card) => {
  const { completeness, drift } = reports(card)
  const newest = hereOf(card.validations).at(-1)
  return { completeness: completeness ?? newest?.completeness ?? null, drift: drift ?? newest?.drift ?? null }
}

const means = (scores: readonly { completeness: number | null; drift: number | null }[]) => ({
  avg_completeness: average(scores.map(score => score.completeness)),
  avg_drift: average(scores.map(score => score.drift)),
})

const named = ({ id, title, status }: { id: string; title: string; status: string }) => ({ id, title, status })

/** The figures of one record, by its kind. */
export const entities = {
  spec: ({ cards, sprints }: Records, spec: Records['specs'][number]) => {
    const own = of(cards, 'spec_id', spec.id)
    const { covered, ruled, contracted } = namedPlaces(spec)
    const criteria = spec.acceptance_criteria ?? []
    const requirements = spec.functional_requirements ?? []
    return {
      spec_id: spec.id,
      title: spec.title,
      status: spec.status,
      total_ac: criteria.length,
      covered_ac: covered.size,
      ac_details: criteria.map((text, index) => ({ index, text, covered: covered.has(index) })),
      total_fr: requirements.length,
      fr_details: requirements.map((text, index) => ({
        index,
        text,
        has_rule: ruled.has(index),
        has_contract: contracted.has(index),
      })),
      scenario_statuses: (spec.test_scenarios ?? []).map(named),
      cards: own.map(card => ({
        ...named(card),
        is_test: card.card_type === 'test',
        card_type: card.card_type,
        ...reports(card),
        created_at: card.created_at,
        updated_at: card.updated_at,
      })),
      avg_cycle_hours: average(own.map(cardCycle)),
      derivation: { ideation_id: spec.ideation_id, refinement_id: spec.refinement_id },
      business_rules: spec.business_rules,
      api_contracts: spec.api_contracts,
      rules_coverage: rate(ruled.size, requirements.length, 0),
      contracts_coverage: rate(contracted.size, requirements.length, 0),
      bugs_count: count(own, ofType('bug')),
      sprints: sprints
        .filter(sprint => sprint.spec_id === spec.id)
        .map(sprint => {
          const planned = of(cards, 'sprint_id', sprint.id)
          return {
            sprint_id: sprint.id,
            title: sprint.title,
            status: sprint.status,
            tasks_total: planned.length,
            tasks_done: count(planned, isDone),
            progress: progress(planned),
            ...means(planned.filter(isDone).map(reports)),
            avg_cycle_hours: average(planned.map(cardCycle)),
            evaluations_count: hereOf(sprint.evaluations).length,
          }
        }),
    }
  },
  ideation: ({ refinements, specs }: Records, ideation: Ideation) => ({
    ideation_id: ideation.id,
    title: ideation.title,
    status: ideation.status,
    complexity: ideation.complexity,
    scope_assessment: ideation.scope_assessment,
    refinement_count: count(refinements, refinement => refinement.ideation_id === ideation.id),
    spec_count: count(specs, spec => spec.ideation_id === ideation.id),
    qa_count: ideation.qa_items.length,
    created_at: ideation.created_at,
  }),
  refinement: ({ specs }: Records, refinement: Refinement) => ({
    refinement_id: refinement.id,
    title: refinement.title,
    description: refinement.description,
    status: refinement.status,
    version: refinement.version,
    ideation_id: refinement.ideation_id,
    in_scope: refinement.in_scope,
    out_of_scope: refinement.out_of_scope,
    analysis: refinement.analysis,
    decisions: refinement.decisions,
    knowledge_base_count: refinement.knowledge_bases.length,
    derived_specs: specs.filter(spec => spec.refinement_id === refinement.id).map(named),
    created_at: refinement.created_at,
    updated_at: refinement.updated_at,
  }),
  card: (_: Records, card: Card) => ({
    card_id: card.id,
    title: card.title,
    status: card.status,
    is_test: card.card_type === 'test',
    card_type: card.card_type,
    spec_id: card.spec_id,
    sprint_id: card.sprint_id,
    ...reports(card),
    conclusions: card.conclusions,
    validations: card.validations,
    cycle_hours: shownCycle(card),
    created_at: card.created_at,
    updated_at: card.updated_at,
  }),
  sprint: ({ cards, specs, sprints }: Records, sprint: Sprint) => {
    const own = of(cards, 'sprint_id', sprint.id)
    const cancelled = count(own, card => card.status === 'cancelled')
    const evaluations = hereOf(sprint.evaluations)
    const counting = evaluations.filter(evaluation => !evaluation.stale)
    const approvals = counting.filter(evaluation => evaluation.recommendation === 'approve')
    const scenarios = specs.find(spec => spec.id === sprint.spec_id)?.test_scenarios ?? []
    const scoped = (sprint.test_scenario_ids ?? []).flatMap(id => scenarios.filter(each => each.id === id).map(named))
    return {
      sprint_id: sprint.id,
      title: sprint.title,
      status: sprint.status,
      spec_id: sprint.spec_id,
      spec_version: sprint.spec_version,
      tasks_total: own.length,
      tasks_done: count(own, isDone),
      tasks_cancelled: cancelled,
      tasks_in_progress: own.length - count(own, isDone) - cancelled,
      progress: progress(own),
      ...means(own.map(reportsOrFindings)),
      avg_cycle_hours: average(own.map(cardCycle)),
      cards: own.map(card => ({
        ...named(card),
        card_type: card.card_type,
        ...reportsOrFindings(card),
        cycle_hours: shownCycle(card),
      })),
      evaluations_total: evaluations.length,
      evaluations_non_stale: counting.length,
      approvals: approvals.length,
      avg_eval_score: average(approvals.map(evaluation => evaluation.overall_score)),
      scoped_scenarios: scoped,
      scenario_coverage: rate(
        count(scoped, scenario => scenario.status === 'passed'),
        scoped.length,
        0,
      ),
      comparison: sprints
        .filter(other => other.spec_id === sprint.spec_id)
        .map(other => {
          const planned = of(cards, 'sprint_id', other.id)
          return {
            sprint_id: other.id,
            title: other.title,
            status: other.status,
            tasks_total: planned.length,
            tasks_done: count(planned, isDone),
            ...means(planned.map(reportsOrFindings)),
            is_current: other.id === sprint.id,
          }
        }),
      created_at: sprint.created_at,
      updated_at: sprint.updated_at,
    }
  },
}

/** The figures of a board, computed from whole records. */
import { PrincipalKind } from '@specboard/contract'
import { always, type Range, within } from '../range.ts'
import type { Card, Deed, Records, Sprint } from '../records.ts'
import {
  average,
  byText,
  cardCycle,
  cardStatuses,
  count,
  cycleOf,
  hereOf,
  isDone,
  lastReport,
  ofType,
  rate,
  severities,
  specStatuses,
  sprintStatuses,
  tally,
} from './formulas.ts'
import {
  failedOf,
  reasons,
  specEvaluation,
  specGate,
  specKinds,
  sprintEvaluation,
  successesOf,
  taskGate,
  taskKinds,
} from './gates.ts'

export function funnel({ ideations, refinements, specs, sprints, cards }: Records) {
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
  const bugs = cards.filter(ofType('bug'))
  return {
    ideations: ideations.length,
    refinements: refinements.length,
    specs: specs.length,
    sprints: sprints.length,
    cards: cards.length,
    done: count(cards, isDone),
    ideations_done: count(ideations, record => record.status === 'done'),
    refinements_done: count(refinements, record => record.status === 'done'),
    specs_done: count(specs, record => record.status === 'done'),
    cards_impl: count(cards, ofType('normal')),
    cards_test: count(cards, ofType('test')),
    cards_bug: bugs.length,
    rules_count: sum(specs.map(spec => spec.business_rules?.length ?? 0)),
    contracts_count: sum(specs.map(spec => spec.api_contracts?.length ?? 0)),
    specs_with_rules: count(specs, spec => (spec.business_rules?.length ?? 0) > 0),
    specs_with_contracts: count(specs, spec => (spec.api_contracts?.length ?? 0) > 0),
    specs_with_tests: count(specs, spec => (spec.test_scenarios?.length ?? 0) > 0),
    bugs_total: bugs.length,
    bugs_open: count(bugs, bug => bug.status !== 'done' && bug.status !== 'cancelled'),
    bugs_by_severity: tally(
      severities,
      bugs.map(bug => bug.severity),
    ),
    spec_status_breakdown: tally(
      specStatuses,
      specs.map(spec => spec.status),
    ),
    card_status_breakdown: tally(
      cardStatuses,
      cards.map(card => card.status),
    ),
    sprint_status_breakdown: tally(
      sprintStatuses,
      sprints.map(sprint => sprint.status),
    ),
    avg_cycle_hours: average(cards.map(cardCycle)),
    cycle_time_by_phase: {
      ideation: average(ideations.map(record => cycleOf(record, 'done'))),
      refinement: average(refinements.map(record => cycleOf(record, 'done'))),
      spec: average(specs.map(record => cycleOf(record, 'done'))),
      sprint: average(sprints.map(record => cycleOf(record, 'closed'))),
      card: average(cards.map(cardCycle)),
    },
  }
}

export const quality = ({ cards }: Records) => ({
  conclusion_reported: cards
    .filter(card => isDone(card) && lastReport(card) !== undefined)
    .map(card => ({
      card_id: card.id,
      title: card.title,
      card_type: card.card_type,
      completeness: lastReport(card)!.completeness,
      drift: lastReport(card)!.drift,
    })),
  validation_reported: cards
    .filter(card => isDone(card) && hereOf(card.validations).length > 0)
    .map(card => {
      const records = hereOf(card.validations)
      const record = records.filter(each => each.outcome === 'success').at(-1) ?? records.at(-1)!
      const { confidence, completeness, drift, outcome } = record
      return {
        card_id: card.id,
        title: card.title,
        card_type: card.card_type,
        confidence,
        completeness,
        drift,
        outcome,
      }
    }),
})

const mostRefused = <Row extends { failed_count: number; attempts: number; title: string }>(
  rows: Row[],
  idOf: (row: Row) => string,
) =>
  rows.sort(
    (a, b) =>
      b.failed_count - a.failed_count || b.attempts - a.attempts || byText([a.title, idOf(a)], [b.title, idOf(b)]),
  )

export const validations = (records: Records) => ({
  spec_validation_gate: {
    ...specGate(records.specs.map(spec => spec.submissions)),
    per_spec: mostRefused(
      records.specs.flatMap(spec => {
        const submissions = hereOf(spec.submissions)
        const last = submissions.at(-1)
        if (last === undefined) return []
        return [
          {
            spec_id: spec.id,
            title: spec.title,
            status: spec.status,
            attempts: submissions.length,
            last_outcome: last.outcome,
            last_completeness: last.completeness,
            last_assertiveness: last.assertiveness,
            last_ambiguity: last.ambiguity,
            success_count: successesOf(submissions),
            failed_count: failedOf(submissions).length,
            rejection_reasons: reasons(failedOf(submissions), specKinds),
            current_validation_id: spec.current_validation_id,
          },
        ]
      }),
      row => row.spec_id,
    ),
  },
  task_validation_gate: {
    ...taskGate(records.cards),
    per_card: mostRefused(
      records.cards.flatMap(card => {
        const records = hereOf(card.validations)
        const last = records.at(-1)
        if (last === undefined) return []
        return [
          {
            card_id: card.id,
            title: card.title,
            card_type: card.card_type,
            spec_id: card.spec_id,
            sprint_id: card.sprint_id,
            status: card.status,
            attempts: records.length,
            last_outcome: last.outcome,
            last_confidence: last.confidence,
            last_completeness: last.completeness,
            last_drift: last.drift,
            success_count: successesOf(records),
            failed_count: failedOf(records).length,
            rejection_reasons: reasons(failedOf(records), taskKinds),
          },
        ]
      }),
      row => row.card_id,
    ),
  },
  spec_evaluation: specEvaluation(records),
  sprint_evaluation: sprintEvaluation(records.sprints),
  by_kind: {
    spec_validations: byKind(records.specs.flatMap(spec => hereOf(spec.submissions))),
    task_validations: byKind(records.cards.flatMap(card => hereOf(card.validations))),
    moves_to_done: byKind(records.movesToDone.filter(({ card_id }) => records.cards.some(({ id }) => id === card_id))),
  },
})

/** How often each kind of principal did something, and how often a person was present. */
const byKind = (deeds: readonly Deed[]) => ({
  ...Object.fromEntries(PrincipalKind.options.map(kind => [kind, count(deeds, deed => deed.actor_type === kind)])),
  present: count(deeds, deed => deed.present === true),
})

const inSprint = (cards: readonly Card[], sprint: Sprint) => cards.filter(card => card.sprint_id === sprint.id)

/** The sprints of a board that were created in a range, with all their cards. */
export function sprints(all: Records, range: Range = always) {
  const records = { ...all, sprints: within(all, range).sprints }
  const rows = records.sprints
    .map(sprint => {
      const cards = inSprint(records.cards, sprint)
      const gate = taskGate(cards)
      const evaluations = hereOf(sprint.evaluations)
      const last = evaluations.at(-1)
      return {
        age: sprint.created_at,
        row: {
          sprint_id: sprint.id,
          title: sprint.title,
          status: sprint.status,
          spec_id: sprint.spec_id,
          total_cards: cards.length,
          done_cards: count(cards, isDone),
          completion_rate: rate(count(cards, isDone), cards.length, 0),
          avg_completeness: average(cards.map(card => lastReport(card)?.completeness)) ?? gate.avg_scores.completeness,
          avg_drift: average(cards.map(card => lastReport(card)?.drift)) ?? gate.avg_scores.drift,
          card_status_breakdown: tally(
            cardStatuses,
            cards.map(card => card.status),
          ),
          evaluations_count: evaluations.length,
          last_evaluation:
            last === undefined
              ? null
              : {
                  overall_score: last.overall_score,
                  recommendation: last.recommendation,
                  evaluator_name: last.evaluator_name,
                  created_at: last.created_at,
                },
          task_validation_gate: {
            total_submitted: gate.total_submitted,
            total_success: gate.total_success,
            total_failed: gate.total_failed,
            rejection_reasons: gate.rejection_reasons,
            first_pass_rate: gate.first_pass_rate,
          },
        },
      }
    })
    .sort((a, b) => b.row.total_cards - a.row.total_cards || (a.age < b.age ? -1 : 1))
    .map(({ row }) => row)
  return {
    summary: {
      total_sprints: rows.length,
      status_breakdown: tally(
        sprintStatuses,
        rows.map(row => row.status),
      ),
      avg_completion_rate: average(rows.map(row => row.completion_rate)),
      sprint_evaluation: sprintEvaluation(records.sprints),
    },
    sprints: rows,
  }
}

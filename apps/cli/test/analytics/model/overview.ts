import { always, type Range, within } from '../range.ts'
import type { Records } from '../records.ts'
import { funnel } from './board.ts'
import { average, byText, count, hours, isDone, lastReport, ofType, rate } from './formulas.ts'
import { specEvaluation, specGate, sprintEvaluation, taskGate } from './gates.ts'
import { periodsTo, velocity } from './velocity.ts'

/** Mean hours from a bug to the earliest test card that it names. */
const triageHours = ({ cards, allCards }: Records) =>
  average(
    cards.filter(ofType('bug')).map(bug => {
      const [first] = bug.linked_test_task_ids
        .flatMap(id => {
          const card = allCards.get(id)
          return card === undefined || card.imported ? [] : [card.created_at]
        })
        .sort()
      return first === undefined ? null : hours(bug.created_at, first)
    }),
  )

const bugRates = ({ cards, specs }: Records) =>
  specs
    .map(spec => {
      const own = cards.filter(card => card.spec_id === spec.id)
      const bugs = count(own, ofType('bug'))
      return {
        spec_id: spec.id,
        spec_title: spec.title,
        total_tasks: own.length,
        bugs,
        rate: rate(bugs, own.length, 0)!,
      }
    })
    .filter(row => row.bugs > 0)
    .sort((a, b) => b.rate - a.rate || b.bugs - a.bugs || byText([a.spec_title, a.spec_id], [b.spec_title, b.spec_id]))

/** The overview of an account with one board: what was created in a range, and the weeks up to now. */
export function overview(all: Records, now: string, range: Range = always) {
  const records = within(all, range)
  const { cards, specs } = records
  const counted = funnel(records)
  const gate = taskGate(cards.filter(card => card.card_type !== 'test'))
  const counts = {
    ideations: counted.ideations,
    refinements: counted.refinements,
    specs: counted.specs,
    sprints: counted.sprints,
    cards: counted.cards,
  }
  return {
    total_ideations: counted.ideations,
    ideations_done: counted.ideations_done,
    total_specs: counted.specs,
    specs_done: counted.specs_done,
    specs_with_tests: counted.specs_with_tests,
    total_sprints: counted.sprints,
    spec_status_breakdown: counted.spec_status_breakdown,
    sprint_status_breakdown: counted.sprint_status_breakdown,
    card_status_breakdown: counted.card_status_breakdown,
    total_business_rules: counted.rules_count,
    total_api_contracts: counted.contracts_count,
    specs_with_rules: counted.specs_with_rules,
    specs_with_contracts: counted.specs_with_contracts,
    total_cards_impl: counted.cards_impl,
    total_cards_test: counted.cards_test,
    total_cards_bug: counted.cards_bug,
    avg_completeness: average(cards.map(card => lastReport(card)?.completeness)) ?? gate.avg_scores.completeness,
    avg_drift: average(cards.map(card => lastReport(card)?.drift)) ?? gate.avg_scores.drift,
    avg_cycle_hours: counted.avg_cycle_hours,
    cycle_time: counted.cycle_time_by_phase,
    spec_validation_gate: specGate(specs.map(spec => spec.submissions)),
    task_validation_gate: gate,
    spec_evaluation: specEvaluation(records),
    sprint_evaluation: sprintEvaluation(records.sprints),
    funnel: { ...counts, tests: counted.cards_test, bugs: counted.cards_bug, done: counted.done },
    velocity: velocity(all, periodsTo(now, 'week', 12)),
    boards: [
      {
        board_id: records.boardId,
        board_name: records.boardName,
        ...counts,
        cards_done: counted.done,
        bugs: counted.cards_bug,
      },
    ],
    total_bugs: counted.bugs_total,
    bugs_open: counted.bugs_open,
    bugs_done: count(cards, card => isDone(card) && card.card_type === 'bug'),
    bugs_by_severity: counted.bugs_by_severity,
    bug_rate_per_spec: bugRates(records),
    avg_triage_hours: triageHours(records),
  }
}

/** The figures of one spec and of one sprint. */
import type { Records, Sprint } from '../records.ts'
import { coverageSummary } from './coverage.ts'
import { cardStatuses, count, hereOf, isDone, rate, tally } from './formulas.ts'
import { reasons, specEvaluation, specKinds, taskGate } from './gates.ts'
import { periodOf, periodsTo, velocity } from './velocity.ts'

const types = ['normal', 'test', 'bug']

export function spec({ cards }: Records, spec: Records['specs'][number]) {
  const own = cards.filter(card => card.spec_id === spec.id)
  return {
    spec_id: spec.id,
    title: spec.title,
    status: spec.status,
    version: spec.version,
    gate_status: {
      current_validation_id: spec.current_validation_id,
      locked: spec.locked,
      total_submissions: hereOf(spec.submissions).length,
    },
    validation_timeline: spec.submissions.map(record => ({
      id: record.id,
      reviewer_id: record.reviewer_id,
      reviewer_name: record.reviewer_name,
      completeness: record.completeness,
      assertiveness: record.assertiveness,
      ambiguity: record.ambiguity,
      recommendation: record.recommendation,
      outcome: record.outcome,
      threshold_violations: record.threshold_violations,
      resolved_thresholds: record.resolved_thresholds,
      rejection_reasons:
        record.outcome === 'failed'
          ? Object.entries(reasons([record], specKinds)).flatMap(([name, times]) => (times > 0 ? [name] : []))
          : [],
      created_at: record.created_at,
      active: record.active,
      ...(record.imported && { imported: true }),
    })),
    task_validation_summary: taskGate(own),
    spec_evaluation: specEvaluation({ specs: [spec] }),
    coverage_summary: coverageSummary(spec, cards),
    cards_summary: {
      total: own.length,
      by_status: tally(
        cardStatuses,
        own.map(card => card.status),
      ),
      by_type: tally(
        types,
        own.map(card => card.card_type),
      ),
    },
  }
}

/** The weeks of a sprint's velocity. */
function weeksOf({ start_date, end_date }: Sprint, now: string): string[] {
  if (start_date === null) return periodsTo(now, 'week', 4)
  const end = end_date !== null && end_date < now ? end_date : now
  const weeks = periodsTo(end, 'week', 52)
  const first = periodOf(start_date, 'week')
  return weeks.filter((week, place) => week >= first || place === weeks.length - 1)
}

/** Whether a time falls within a sprint's dates, for its velocity. */
const within = (time: string, { start_date, end_date }: Sprint) =>
  (start_date === null || time >= start_date) && (start_date === null || end_date === null || time <= end_date)

export function sprint({ cards }: Records, sprint: Sprint, now: string) {
  const own = cards.filter(card => card.sprint_id === sprint.id)
  const dated = own.map(card => ({
    ...card,
    done_at: card.done_at !== null && within(card.done_at, sprint) ? card.done_at : null,
    validations: card.validations.filter(record => within(record.created_at, sprint)),
  }))
  return {
    sprint_id: sprint.id,
    title: sprint.title,
    status: sprint.status,
    spec_id: sprint.spec_id,
    kanban_distribution: tally(
      cardStatuses,
      own.map(card => card.status),
    ),
    cards_summary: {
      total: own.length,
      done: count(own, isDone),
      completion_rate: rate(count(own, isDone), own.length, 0),
      by_type: tally(
        types,
        own.map(card => card.card_type),
      ),
    },
    task_validation_gate: taskGate(own),
    evaluation_timeline: (sprint.evaluations ?? []).map(evaluation => ({
      id: evaluation.id,
      evaluator_id: evaluation.evaluator_id,
      evaluator_name: evaluation.evaluator_name,
      dimensions: evaluation.dimensions,
      overall_score: evaluation.overall_score,
      recommendation: evaluation.recommendation,
      stale: evaluation.stale,
      created_at: evaluation.created_at,
      ...(evaluation.imported && { imported: true }),
    })),
    velocity: velocity({ cards: dated, specs: [], sprints: [] }, weeksOf(sprint, now)),
  }
}

import type { features } from '@specboard/contract'
import { readSprint, type SprintRecord } from '../../planning/sprints/store.ts'
import { readTaskValidations } from './facts.ts'
import { taskGate } from './gates.ts'
import { always, velocityWindow, type Window } from './periods.ts'
import { allOfRecord } from './population.ts'
import { cardBreakdown, cardCounts, completionRate, readCardTallies, typeCounts } from './tallies.ts'
import { weeksOf } from './velocity.ts'
import { completionEvents, readBounces, readCompletions } from './velocity-events.ts'
import type { Measurement } from './with-refs.ts'

/** The weeks of a sprint: from its start to its end or now, whichever is first; without a start, the last four (B.11). */
export function sprintWindow(
  { start_date, end_date }: Pick<SprintRecord, 'start_date' | 'end_date'>,
  now: string,
): Window {
  if (start_date === null) return velocityWindow('week', always, Date.parse(now), 4)
  const to = end_date !== null && end_date < now ? end_date : now
  return velocityWindow('week', { from: start_date, to }, Date.parse(now))
}

const timelineOf = ({ evaluations }: Pick<SprintRecord, 'evaluations'>) =>
  (evaluations ?? []).map(evaluation => ({
    id: evaluation.id,
    evaluator_id: evaluation.evaluator_id,
    evaluator_name: evaluation.evaluator_name,
    dimensions: evaluation.dimensions,
    overall_score: evaluation.overall_score,
    recommendation: evaluation.recommendation,
    stale: evaluation.stale,
    created_at: evaluation.created_at,
    ...(evaluation.imported && { imported: true as const }),
  }))

/** get_sprint_analytics (B.11). */
export const sprintAnalytics: Measurement<(typeof features.analytics)['get_sprint_analytics']> = async (
  { params },
  ctx,
) => {
  const sprint = await readSprint(ctx.db, params.sprint_id)
  const cards = await readCardTallies(ctx.db, 'sprint_id', allOfRecord(sprint))
  const counts = cardCounts(cards)
  const validations = await readTaskValidations(ctx.db, 'sprint_id', allOfRecord(sprint))
  const window = sprintWindow(sprint, ctx.now())
  const completions = await readCompletions(ctx.db, 'sprint_id', [sprint.id], window)
  const bounces = await readBounces(ctx.db, 'sprint_id', [sprint.id], window)
  return {
    sprint_id: sprint.id,
    title: sprint.title,
    status: sprint.status,
    spec_id: sprint.spec_id,
    kanban_distribution: cardBreakdown(cards),
    cards_summary: {
      ...counts,
      completion_rate: completionRate(counts),
      by_type: typeCounts(cards),
    },
    task_validation_gate: taskGate([...validations.values()]),
    evaluation_timeline: ctx.access.allows('SPRINTS_READ_EVALUATIONS') ? timelineOf(sprint) : [],
    velocity: weeksOf(window, [...completionEvents(completions), ...bounces]),
  }
}

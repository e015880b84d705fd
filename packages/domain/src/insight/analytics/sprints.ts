import type { features } from '@specboard/contract'
import { sprintEvaluations } from './evaluations.ts'
import {
  type EvaluationFact,
  readSprintEvaluations,
  readSprintFacts,
  readTaskValidations,
  type SprintFact,
  type TaskValidationFact,
} from './facts.ts'
import { sprintBreakdown } from './funnel.ts'
import { taskGate } from './gates.ts'
import { mean } from './measures.ts'
import { always, rangeOf } from './periods.ts'
import { ascending, descending, ranked } from './ranking.ts'
import {
  type CardTally,
  cardBreakdown,
  cardCounts,
  completionRate,
  type Reports,
  readCardTallies,
  readReports,
  reportedMeans,
} from './tallies.ts'
import type { Measurement } from './with-refs.ts'

/** A sprint and what its figures are computed from. */
export interface SprintWork {
  readonly sprint: SprintFact
  readonly cards: readonly CardTally[]
  readonly reports: readonly Reports[]
  /** The validations of each card that has any, oldest first. */
  readonly validations: readonly (readonly TaskValidationFact[])[]
  /** In order of submission. */
  readonly evaluations: readonly EvaluationFact[]
}

/** The means that executors report on cards; if none reports any, those that reviewers found (B.9). */
export function reportedOrFound(reports: readonly Reports[], gate: ReturnType<typeof taskGate>) {
  const reported = reportedMeans(reports)
  return {
    avg_completeness: reported.avg_completeness ?? gate.avg_scores.completeness,
    avg_drift: reported.avg_drift ?? gate.avg_scores.drift,
  }
}

function sprintRow({ sprint, cards, reports, validations, evaluations }: SprintWork) {
  const counts = cardCounts(cards)
  const gate = taskGate(validations)
  const last = evaluations.at(-1)
  return {
    sprint_id: sprint.id,
    title: sprint.title,
    status: sprint.status,
    spec_id: sprint.spec_id,
    total_cards: counts.total,
    done_cards: counts.done,
    completion_rate: completionRate(counts),
    ...reportedOrFound(reports, gate),
    card_status_breakdown: cardBreakdown(cards),
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
  }
}

/** The sprints of a board, those with most cards first, and a summary of all of them (B.9). */
export function compareSprints(work: readonly SprintWork[]) {
  const ordered = ranked(
    work,
    descending(({ cards }) => cardCounts(cards).total),
    ascending(({ sprint }) => sprint.created_at),
    ascending(({ sprint }) => sprint.id),
  )
  const sprints = ordered.map(sprintRow)
  return {
    summary: {
      total_sprints: sprints.length,
      status_breakdown: sprintBreakdown(sprints),
      avg_completion_rate: mean(sprints.map(row => row.completion_rate)),
      sprint_evaluation: sprintEvaluations(work.map(({ evaluations }) => evaluations)),
    },
    sprints,
  }
}

/** get_sprints_analytics (B.9): the range selects sprints; all their cards count. */
export const sprintsAnalytics: Measurement<(typeof features.analytics)['get_sprints_analytics']> = async (
  { query },
  ctx,
) => {
  const population = { ids: [ctx.boardId], board: null, range: rangeOf(query) }
  const sprints = await readSprintFacts(ctx.db, 'board_id', population)
  const evaluations = await readSprintEvaluations(ctx.db, 'board_id', population)
  const theirs = { ids: sprints.map(sprint => sprint.id), board: ctx.boardId, range: always }
  const cards = Map.groupBy(await readCardTallies(ctx.db, 'sprint_id', theirs), tally => tally.key)
  const reports = Map.groupBy(await readReports(ctx.db, 'sprint_id', theirs), each => each.key)
  const groups = (await readTaskValidations(ctx.db, 'sprint_id', theirs)).values()
  const validations = Map.groupBy(groups, ([first]) => first!.sprint_id)
  return compareSprints(
    sprints.map(sprint => ({
      sprint,
      cards: cards.get(sprint.id) ?? [],
      reports: reports.get(sprint.id) ?? [],
      validations: validations.get(sprint.id) ?? [],
      evaluations: evaluations.get(sprint.id) ?? [],
    })),
  )
}

import type { features } from '@specboard/contract'
import { byKind, readMovesToDone } from './by-kind.ts'
import { specEvaluations, sprintEvaluations } from './evaluations.ts'
import {
  type JudgedCard,
  readJudgedCards,
  readSpecEvaluations,
  readSpecFacts,
  readSpecValidations,
  readSprintEvaluations,
  readTaskValidations,
  type SpecFact,
  type SpecValidationFact,
  type TaskValidationFact,
} from './facts.ts'
import { outcomesOf, type Submission, specGate, specReasons, taskGate, taskReasons } from './gates.ts'
import { rangeOf } from './periods.ts'
import { ascending, descending, ranked } from './ranking.ts'
import type { Measurement } from './with-refs.ts'

interface AttemptedCard {
  readonly title: string
  readonly attempts: number
  readonly failed_count: number
}

/** Most failures first, then most attempts, then by title (B.8). */
const mostFailed = <Row extends AttemptedCard>(rows: readonly Row[], idOf: (row: Row) => string): Row[] =>
  ranked(
    rows,
    descending(row => row.failed_count),
    descending(row => row.attempts),
    ascending(row => row.title),
    ascending(idOf),
  )

const attemptsOf = (submissions: readonly Submission[]) => {
  const { total_submitted, total_success, total_failed } = outcomesOf(submissions)
  return {
    attempts: total_submitted,
    last_outcome: submissions.at(-1)!.outcome as 'success' | 'failed',
    success_count: total_success,
    failed_count: total_failed,
  }
}

/** The specs that were submitted to their gate, most failures first. */
const attemptsPerSpec = (specs: readonly SpecFact[], validations: ReadonlyMap<string, readonly SpecValidationFact[]>) =>
  mostFailed(
    specs.flatMap(spec => {
      const submissions = validations.get(spec.id) ?? []
      const last = submissions.at(-1)
      if (last === undefined) return []
      return [
        {
          spec_id: spec.id,
          title: spec.title,
          status: spec.status,
          ...attemptsOf(submissions),
          last_completeness: last.completeness,
          last_assertiveness: last.assertiveness,
          last_ambiguity: last.ambiguity,
          rejection_reasons: specReasons(submissions),
          current_validation_id: spec.current_validation_id,
        },
      ]
    }),
    row => row.spec_id,
  )

/** The cards that were submitted to their gate, most failures first. */
export const attemptsPerCard = (
  cards: readonly JudgedCard[],
  validations: ReadonlyMap<string, readonly TaskValidationFact[]>,
) =>
  mostFailed(
    cards.flatMap(card => {
      const submissions = validations.get(card.id) ?? []
      const last = submissions.at(-1)
      if (last === undefined) return []
      return [
        {
          card_id: card.id,
          title: card.title,
          card_type: card.card_type,
          spec_id: card.spec_id,
          sprint_id: card.sprint_id,
          status: card.status,
          ...attemptsOf(submissions),
          last_confidence: last.confidence,
          last_completeness: last.completeness,
          last_drift: last.drift,
          rejection_reasons: taskReasons(submissions),
        },
      ]
    }),
    row => row.card_id,
  )

/** get_validation_analytics (B.8). */
export const validationAnalytics: Measurement<(typeof features.analytics)['get_validation_analytics']> = async (
  { query },
  ctx,
) => {
  const population = { ids: [ctx.boardId], board: null, range: rangeOf(query) }
  const specs = await readSpecFacts(ctx.db, 'board_id', population)
  const specValidations = await readSpecValidations(ctx.db, 'board_id', population)
  const cards = await readJudgedCards(ctx.db, 'board_id', population)
  const taskValidations = await readTaskValidations(ctx.db, 'board_id', population)
  const evaluatedSpecs = await readSpecEvaluations(ctx.db, 'board_id', population)
  const evaluatedSprints = await readSprintEvaluations(ctx.db, 'board_id', population)
  return {
    spec_validation_gate: {
      ...specGate([...specValidations.values()]),
      per_spec: attemptsPerSpec(specs, specValidations),
    },
    task_validation_gate: {
      ...taskGate([...taskValidations.values()]),
      per_card: attemptsPerCard(cards, taskValidations),
    },
    spec_evaluation: specEvaluations([...evaluatedSpecs.values()]),
    sprint_evaluation: sprintEvaluations([...evaluatedSprints.values()]),
    by_kind: {
      spec_validations: byKind([...specValidations.values()].flat()),
      task_validations: byKind([...taskValidations.values()].flat()),
      moves_to_done: byKind(await readMovesToDone(ctx.db, 'board_id', population)),
    },
  }
}

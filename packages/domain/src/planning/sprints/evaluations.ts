import {
  evaluationDimensions,
  type SprintEvaluationSubmit,
  type StoredSprintEvaluation,
  serverOwned,
} from '@specboard/contract'
import type { z } from 'zod'
import { evaluationRefusal, tallyOf } from '../evaluation.ts'

/** An evaluation of a sprint as stored (planning 1.3). */
export type Evaluation = z.output<typeof StoredSprintEvaluation>

/** An evaluation as submitted (planning 1.7). */
export type Submission = z.output<typeof SprintEvaluationSubmit>

/** The dimensions of a submission, with missing ones filled from the flat form; null without any. */
export function dimensionsOf(submission: Submission): Record<string, unknown> | null {
  const dimensions: Record<string, unknown> = { ...submission.dimensions }
  for (const [name, flat] of Object.entries(evaluationDimensions)) {
    const dimension = submission.dimensions?.[name as keyof typeof evaluationDimensions]
    const score = dimension?.score ?? submission[flat.score]
    if (score === undefined) continue
    dimensions[name] = { score, justification: dimension?.justification ?? submission[flat.justification] ?? '' }
  }
  return submission.dimensions == null && Object.keys(dimensions).length === 0 ? null : dimensions
}

/** A submission as stored: its own keys, and those that the server sets. */
export function evaluationOf(
  submission: Submission,
  serverFields: Pick<Evaluation, 'id' | 'evaluator_id' | 'evaluator_name' | 'created_at'>,
): Evaluation {
  const entries = Object.entries(submission).filter(([key]) => !serverOwned.has(key))
  return {
    ...Object.fromEntries(entries),
    ...serverFields,
    evaluator_type: 'agent',
    dimensions: dimensionsOf(submission),
    overall_score: submission.overall_score,
    overall_justification: submission.overall_justification,
    recommendation: submission.recommendation,
    stale: false,
    superseded_by: null,
  }
}

/** The evaluations with a new one; earlier ones of its evaluator become stale (planning 1.7). */
export const withEvaluation = (evaluations: readonly Evaluation[], added: Evaluation): Evaluation[] => [
  ...evaluations.map(evaluation =>
    evaluation.evaluator_id === added.evaluator_id
      ? { ...evaluation, stale: true, superseded_by: evaluation.superseded_by ?? added.id }
      : evaluation,
  ),
  added,
]

/** The current state of the evaluation gate for closing the sprint. */
export function gatePreview(
  evaluations: readonly Evaluation[],
  sprint: { readonly validation_threshold: number | null; readonly skip_qualitative_validation: boolean },
) {
  const blocks = evaluationRefusal(evaluations, sprint.validation_threshold, 'sprint') !== null
  return {
    can_close: sprint.skip_qualitative_validation || !blocks,
    ...tallyOf(evaluations, sprint.validation_threshold),
  }
}

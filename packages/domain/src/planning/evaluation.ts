import { blocked, type DomainError } from '../kernel/errors.ts'

/** What the evaluation gate reads of an evaluation of a spec or sprint. */
export interface Verdict {
  readonly id: string
  readonly evaluator_id: string
  readonly evaluator_name: string
  readonly overall_score: number
  readonly recommendation: 'approve' | 'request_changes' | 'reject'
  readonly stale: boolean
}

/** The mean score that approves when neither a spec nor a sprint sets its own `validation_threshold`. */
export const defaultThreshold = 70

/** What the evaluations that are not stale say together. `mean` is unrounded; null without approvals. */
export interface Standing {
  readonly approvals: readonly Verdict[]
  readonly rejections: readonly Verdict[]
  readonly mean: number | null
}

/** Counts the evaluations that are not stale; `request_changes` counts neither way. */
export function standingOf(evaluations: readonly Verdict[]): Standing {
  const valid = evaluations.filter(evaluation => !evaluation.stale)
  const approvals = valid.filter(evaluation => evaluation.recommendation === 'approve')
  const total = approvals.reduce((sum, { overall_score }) => sum + overall_score, 0)
  return {
    approvals,
    rejections: valid.filter(evaluation => evaluation.recommendation === 'reject'),
    mean: approvals.length === 0 ? null : total / approvals.length,
  }
}

/** A score as answers show it: 2 decimals. */
export const twoDecimals = (score: number): number => Math.round(score * 100) / 100

/**
 * Why the evaluation gate blocks, null when it does not: EVALUATION_REJECTED with `evaluators`,
 * EVALUATION_REQUIRED, or EVALUATION_BELOW_THRESHOLD with `average` and `threshold`. One rule for specs that
 * start (specs 6.2) and sprints that close (planning 1.6): no rejection, an approval, and a mean of at least
 * the threshold (null: 70; 0 counts as 0), unrounded.
 */
export function evaluationRefusal(evaluations: readonly Verdict[], threshold: number | null): DomainError | null {
  const { rejections, mean } = standingOf(evaluations)
  const least = threshold ?? defaultThreshold
  if (rejections.length > 0) {
    const evaluators = rejections.map(({ id, evaluator_id, evaluator_name, overall_score }) => ({
      evaluation_id: id,
      evaluator_id,
      evaluator_name,
      overall_score,
    }))
    const names = evaluators.map(evaluator => evaluator.evaluator_name).join(', ')
    return blocked('EVALUATION_REJECTED', `Rejected by ${names}. A rejection is taken back by evaluating again.`, {
      evaluators,
    })
  }
  if (mean === null) return blocked('EVALUATION_REQUIRED', 'No evaluation approves it yet. Submit one that does.')
  if (mean >= least) return null
  const average = twoDecimals(mean)
  return blocked(
    'EVALUATION_BELOW_THRESHOLD',
    `The approving evaluations score ${average} on average; ${least} is needed.`,
    { average, threshold: least },
  )
}

/**
 * The evaluation gate.
 * @throws DomainError as evaluationRefusal says
 */
export function checkEvaluations(evaluations: readonly Verdict[], threshold: number | null): void {
  const refusal = evaluationRefusal(evaluations, threshold)
  if (refusal !== null) throw refusal
}

/** Every evaluation as a verdict on an earlier state, which no longer counts. */
export const allStale = <Evaluation extends Verdict>(evaluations: readonly Evaluation[]): Evaluation[] =>
  evaluations.map(evaluation => ({ ...evaluation, stale: true }))

/** The evaluations before a new one of the same evaluator: its own become stale, the others stay. */
export const staleOf = <Evaluation extends Verdict>(
  evaluations: readonly Evaluation[],
  evaluatorId: string,
): Evaluation[] =>
  evaluations.map(evaluation => (evaluation.evaluator_id === evaluatorId ? { ...evaluation, stale: true } : evaluation))

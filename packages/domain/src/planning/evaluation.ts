import { blocked, type DomainError } from '../kernel/errors.ts'
import { quotedName } from '../lib/quoted-name.ts'

/** The fields of an evaluation of a spec or sprint that the gate reads. */
export interface Verdict {
  readonly id: string
  readonly evaluator_id: string
  readonly evaluator_name: string
  readonly overall_score: number
  readonly recommendation: 'approve' | 'request_changes' | 'reject'
  readonly stale: boolean
  /** Set if the evaluation was imported, so that it does not count. */
  readonly imported?: true | undefined
}

/** The required mean score when the spec or sprint has no `validation_threshold`. */
const defaultThreshold = 70

/**
 * The summary of evaluations that are not stale. `mean` is that of the approvals, unrounded; null if there are none.
 */
export interface EvaluationSummary {
  readonly approvals: readonly Verdict[]
  readonly rejections: readonly Verdict[]
  readonly mean: number | null
}

/**
 * Summarises the evaluations that are not stale and were not imported (walls 5); `request_changes` counts neither as
 * approval nor as rejection.
 */
export function evaluationSummary(evaluations: readonly Verdict[]): EvaluationSummary {
  const valid = evaluations.filter(({ stale, imported }) => !stale && !imported)
  const approvals = valid.filter(evaluation => evaluation.recommendation === 'approve')
  const total = approvals.reduce((sum, { overall_score }) => sum + overall_score, 0)
  return {
    approvals,
    rejections: valid.filter(evaluation => evaluation.recommendation === 'reject'),
    mean: approvals.length === 0 ? null : total / approvals.length,
  }
}

/** A score rounded to 2 decimals, as answered. */
export const twoDecimals = (score: number): number => Math.round(score * 100) / 100

/**
 * The refusal of the evaluation gate, or null when it is open: EVALUATION_REJECTED with `evaluators`,
 * EVALUATION_REQUIRED, or EVALUATION_BELOW_THRESHOLD with `average` and `threshold`. The same rule applies to specs
 * that start (specs 6.2) and sprints that close (planning 1.6): no rejection, at least one approval, and an unrounded
 * mean of at least the threshold (null means 70).
 */
export function evaluationRefusal(
  evaluations: readonly Verdict[],
  threshold: number | null,
  kind: 'spec' | 'sprint',
): DomainError | null {
  const { rejections, mean } = evaluationSummary(evaluations)
  const minScore = threshold ?? defaultThreshold
  const operation = `submit_${kind}_evaluation`
  if (rejections.length > 0) {
    const evaluators = rejections.map(({ id, evaluator_id, evaluator_name, overall_score }) => ({
      evaluation_id: id,
      evaluator_id,
      evaluator_name,
      overall_score,
    }))
    const names = evaluators.map(evaluator => quotedName(evaluator.evaluator_name)).join(', ')
    return blocked(
      'EVALUATION_REJECTED',
      `Rejected by ${names}. A rejection is replaced when its evaluator evaluates again (${operation}).`,
      { evaluators },
    )
  }
  if (mean === null)
    return blocked('EVALUATION_REQUIRED', `No evaluation approves it yet. Submit one that does (${operation}).`)
  if (mean >= minScore) return null
  const average = twoDecimals(mean)
  return blocked(
    'EVALUATION_BELOW_THRESHOLD',
    `The approving evaluations score ${average} on average; ${minScore} is needed. Submit a better one (${operation}).`,
    { average, threshold: minScore },
  )
}

/**
 * The evaluations as the gate counts them: how many approve and reject, the mean of the approvals and the required
 * threshold (planning 1.7, specs 6.2).
 */
export function tallyOf(evaluations: readonly Verdict[], threshold: number | null) {
  const { approvals, rejections, mean } = evaluationSummary(evaluations)
  return {
    approvals: approvals.length,
    rejections: rejections.length,
    average: mean === null ? null : twoDecimals(mean),
    threshold: threshold ?? defaultThreshold,
  }
}

/** Whether any evaluation still counts. */
export const anyValid = (evaluations: readonly Pick<Verdict, 'stale'>[]): boolean =>
  evaluations.some(({ stale }) => !stale)

/** All evaluations marked as stale, for a record that they no longer apply to. */
export const allStale = <Evaluation extends Verdict>(evaluations: readonly Evaluation[]): Evaluation[] =>
  evaluations.map(evaluation => ({ ...evaluation, stale: true }))

/** The evaluations with those of one evaluator marked as stale, because it evaluates again. */
export const staleOf = <Evaluation extends Verdict>(
  evaluations: readonly Evaluation[],
  evaluatorId: string,
): Evaluation[] =>
  evaluations.map(evaluation => (evaluation.evaluator_id === evaluatorId ? { ...evaluation, stale: true } : evaluation))

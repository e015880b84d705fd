import type { features, InputOf } from '@specboard/contract'
import { DomainError } from '../../../kernel/errors.ts'
import type { Report } from '../../card-record/record.ts'
import { isBlank } from '../gates/report.ts'
import type { Thresholds } from '../gates/thresholds.ts'
import type { TaskValidationRecord } from './store.ts'

type Outcome = TaskValidationRecord['outcome']
type Recommendation = TaskValidationRecord['recommendation']

/** The three scores of a scored submission with their justifications. */
export interface Scores {
  readonly confidence: number
  readonly confidence_justification: string
  readonly completeness: number
  readonly completeness_justification: string
  readonly drift: number
  readonly drift_justification: string
}

/** A valid submission (cards 5.2): plain without scores, otherwise scored. */
export interface Submission {
  /** As sent, or else the one that matches `outcome`. */
  readonly recommendation: Recommendation
  readonly summary: string
  readonly evidence: TaskValidationRecord['evidence']
  readonly reviewerId: string
  readonly scores: Scores | null
  readonly autoMove: boolean
}

type Body = InputOf<typeof features.cards.submit_task_validation>['body']
type BodyField = keyof Body & string

const outcomes: ReadonlyMap<unknown, Outcome> = new Map([
  ['success', 'success'],
  ['failed', 'failed'],
  ['failure', 'failed'],
])
const recommendations: ReadonlySet<unknown> = new Set<Recommendation>(['approve', 'reject'])
const recommendationOf: Readonly<Record<Outcome, Recommendation>> = { success: 'approve', failed: 'reject' }

const scoreNames = ['confidence', 'estimated_completeness', 'estimated_drift'] as const
const justificationNames = ['confidence_justification', 'completeness_justification', 'drift_justification'] as const

const isScore = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 100

interface Fault {
  readonly field: string
  readonly message: string
}

/**
 * Reads a body, which is scored if it has any score and plain otherwise.
 * @param callerId the reviewer, when the body names none
 * @param autoMove whether the card is moved, when the body does not say
 * @throws DomainError VALIDATION_ERROR with `missing`, the canonical names of absent and blank fields, and `details`,
 * one for each invalid value
 */
export function readSubmission(body: Body, callerId: string, autoMove: boolean): Submission {
  const scored = scoreNames.some(name => !isBlank(body[name]))
  const required: readonly BodyField[] = scored
    ? [...(isBlank(body.outcome) ? (['recommendation'] as const) : []), 'summary', ...scoreNames, ...justificationNames]
    : ['outcome', 'summary']
  const missing = required.filter(name => isBlank(body[name]))
  const details = faultsOf(body, scored)
  if (missing.length > 0 || details.length > 0) throw refused(missing, details)
  const outcome = outcomes.get(body.outcome)
  return {
    recommendation: outcome === undefined ? (body.recommendation as Recommendation) : recommendationOf[outcome],
    summary: body.summary ?? '',
    evidence: body.evidence ?? [],
    reviewerId: body.reviewer_id ?? callerId,
    scores: scored ? scoresOf(body) : null,
    autoMove: body.auto_move ?? autoMove,
  }
}

function faultsOf(body: Body, scored: boolean): Fault[] {
  const outcome = outcomes.get(body.outcome)
  const unknownOutcome = !isBlank(body.outcome) && outcome === undefined
  const unknownRecommendation = !isBlank(body.recommendation) && !recommendations.has(body.recommendation)
  const disagree =
    outcome !== undefined &&
    recommendations.has(body.recommendation) &&
    body.recommendation !== recommendationOf[outcome]
  return [
    ...(unknownOutcome ? [{ field: 'outcome', message: 'must be success or failed' }] : []),
    ...(unknownRecommendation ? [{ field: 'recommendation', message: 'must be approve or reject' }] : []),
    ...(disagree ? [{ field: 'recommendation', message: 'does not agree with outcome' }] : []),
    ...(scored ? scoreNames : [])
      .filter(name => !isBlank(body[name]) && !isScore(body[name]))
      .map(field => ({ field, message: 'must be a whole number from 0 to 100' })),
  ]
}

function refused(missing: readonly string[], details: readonly Fault[]): DomainError {
  const absent = missing.length > 0 ? [`Send ${missing.join(', ')}.`] : []
  const wrong = details.map(({ field, message }) => `${field} ${message}.`)
  return new DomainError('VALIDATION_ERROR', [...absent, ...wrong].join(' '), {
    field: missing[0] ?? details[0]?.field,
    ...(missing.length > 0 && { missing }),
    ...(details.length > 0 && { details }),
  })
}

const scoresOf = (body: Body): Scores => ({
  confidence: body.confidence as number,
  confidence_justification: body.confidence_justification ?? '',
  completeness: body.estimated_completeness as number,
  completeness_justification: body.completeness_justification ?? '',
  drift: body.estimated_drift as number,
  drift_justification: body.drift_justification ?? '',
})

/** The result of a submission. */
export interface Verdict {
  readonly outcome: Outcome
  readonly violations: readonly string[]
}

/**
 * Compares scores with the thresholds, where equal passes; a plain submission follows its reviewer's recommendation
 * (cards 5.2).
 */
export function verdictOf({ recommendation, scores }: Submission, thresholds: Thresholds): Verdict {
  const violations = scores === null ? [] : violationsOf(scores, thresholds)
  return { outcome: recommendation === 'approve' && violations.length === 0 ? 'success' : 'failed', violations }
}

function violationsOf({ confidence, completeness, drift }: Scores, limits: Thresholds): string[] {
  const { min_confidence, min_completeness, max_drift } = limits
  return [
    ...(confidence < min_confidence ? [`confidence ${confidence} < min ${min_confidence}`] : []),
    ...(completeness < min_completeness ? [`completeness ${completeness} < min ${min_completeness}`] : []),
    ...(drift > max_drift ? [`drift ${drift} > max ${max_drift}`] : []),
  ]
}

/** The conclusion that a successful validation adds to a card that entered `validation` without a report. */
export const conclusionOf = (
  { summary, scores, reviewerId }: Submission,
  validationId: string,
  now: string,
): Report => ({
  text: summary.trim(),
  author_id: reviewerId,
  created_at: now,
  completeness: scores?.completeness ?? null,
  completeness_justification: (scores?.completeness_justification ?? '').trim(),
  drift: scores?.drift ?? null,
  drift_justification: (scores?.drift_justification ?? '').trim(),
  source: 'task_validation',
  validation_id: validationId,
})

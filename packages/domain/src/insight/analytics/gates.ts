import { mean, percent } from './measures.ts'

/** The fields of a submission to a gate that the aggregates read. */
export interface Submission {
  readonly outcome: string
  readonly recommendation: string | null
  /** Texts such as `completeness 70 < min 80`. */
  readonly violations: readonly string[]
}

/** A task validation. */
export interface TaskSubmission extends Submission {
  readonly confidence: number | null
  readonly completeness: number | null
  readonly drift: number | null
}

/** A spec validation. */
export interface SpecSubmission extends Submission {
  readonly completeness: number | null
  readonly assertiveness: number | null
  readonly ambiguity: number | null
}

/** The bucket of a violation, by the score at its beginning. */
const taskBuckets = {
  confidence: 'confidence_below',
  completeness: 'completeness_below',
  drift: 'drift_above',
} as const

const specBuckets = {
  completeness: 'completeness_below',
  assertiveness: 'assertiveness_below',
  ambiguity: 'ambiguity_above',
} as const

type Buckets = Readonly<Record<string, string>>

/** The buckets that a failed submission counts in: one for each violation, and one for a rejection (B.1). */
function reasonsOf({ outcome, recommendation, violations }: Submission, buckets: Buckets): string[] {
  if (outcome !== 'failed') return []
  const found = violations.flatMap(violation => buckets[violation.slice(0, violation.indexOf(' '))] ?? [])
  const isRejected = recommendation === 'reject' || (violations.length === 0 && recommendation === null)
  return isRejected ? [...found, 'reject_recommendation'] : found
}

function countReasons<Bucket extends string>(
  submissions: readonly Submission[],
  buckets: Readonly<Record<string, Bucket>>,
): Record<Bucket | 'reject_recommendation', number> {
  const counted: Record<string, number> = {}
  for (const bucket of [...Object.values(buckets), 'reject_recommendation']) counted[bucket] = 0
  for (const reason of submissions.flatMap(submission => reasonsOf(submission, buckets))) counted[reason]!++
  return counted as Record<Bucket | 'reject_recommendation', number>
}

/** The buckets that one spec validation counts in, each once. */
export const specReasonsOf = (submission: Submission): string[] => [...new Set(reasonsOf(submission, specBuckets))]

/** Why task validations failed. */
export const taskReasons = (submissions: readonly Submission[]) => countReasons(submissions, taskBuckets)

/** Why spec validations failed. */
export const specReasons = (submissions: readonly Submission[]) => countReasons(submissions, specBuckets)

/** How many submissions succeeded and failed. */
export const outcomesOf = (submissions: readonly Submission[]) => ({
  total_submitted: submissions.length,
  total_success: submissions.filter(({ outcome }) => outcome === 'success').length,
  total_failed: submissions.filter(({ outcome }) => outcome === 'failed').length,
})

/** The mean number of submissions per group, two decimals; null without any group. */
const attemptsOf = (groups: readonly (readonly Submission[])[]): number | null =>
  groups.length === 0 ? null : Math.round((groups.flat().length * 100) / groups.length) / 100

/** The percentage of groups whose oldest submission is a success; null without any group. */
const firstPassRate = (groups: readonly (readonly Submission[])[]): number | null =>
  percent(groups.filter(([oldest]) => oldest?.outcome === 'success').length, groups.length)

/**
 * The task gate aggregate (B.1).
 * @param groups the validations of each card that has any, oldest first
 */
export function taskGate(groups: readonly (readonly TaskSubmission[])[]) {
  const all = groups.flat()
  const outcomes = outcomesOf(all)
  return {
    ...outcomes,
    success_rate: percent(outcomes.total_success, outcomes.total_submitted),
    avg_attempts_per_card: attemptsOf(groups),
    first_pass_rate: firstPassRate(groups),
    avg_scores: {
      confidence: mean(all.map(({ confidence }) => confidence)),
      completeness: mean(all.map(({ completeness }) => completeness)),
      drift: mean(all.map(({ drift }) => drift)),
    },
    rejection_reasons: taskReasons(all),
    cards_with_validation: groups.length,
  }
}

/**
 * The spec gate aggregate (B.1).
 * @param groups the validations of each spec that has any, oldest first
 */
export function specGate(groups: readonly (readonly SpecSubmission[])[]) {
  const all = groups.flat()
  const outcomes = outcomesOf(all)
  return {
    ...outcomes,
    success_rate: percent(outcomes.total_success, outcomes.total_submitted),
    avg_attempts_per_spec: attemptsOf(groups),
    avg_scores: {
      completeness: mean(all.map(({ completeness }) => completeness)),
      assertiveness: mean(all.map(({ assertiveness }) => assertiveness)),
      ambiguity: mean(all.map(({ ambiguity }) => ambiguity)),
    },
    rejection_reasons: specReasons(all),
    specs_with_validation: groups.length,
  }
}

import type { Settings } from '../../kernel/board-settings.ts'

/** The thresholds of spec validations in a board's settings. */
export type Thresholds = Pick<Settings, 'min_spec_completeness' | 'min_spec_assertiveness' | 'max_spec_ambiguity'>

/** The scores of a spec validation, 0-100 each. */
export interface Scores {
  readonly completeness: number
  readonly assertiveness: number
  readonly ambiguity: number
}

/** Only the thresholds of the settings, as a record keeps them. */
export const thresholdsOf = (settings: Thresholds): Thresholds => ({
  min_spec_completeness: settings.min_spec_completeness,
  min_spec_assertiveness: settings.min_spec_assertiveness,
  max_spec_ambiguity: settings.max_spec_ambiguity,
})

/** The threshold violations as texts, in the order of the scores; a score equal to its threshold passes (specs 7.1). */
export function violationsOf({ completeness, assertiveness, ambiguity }: Scores, thresholds: Thresholds): string[] {
  const { min_spec_completeness, min_spec_assertiveness, max_spec_ambiguity } = thresholds
  return [
    ...(completeness < min_spec_completeness ? [`completeness ${completeness} < min ${min_spec_completeness}`] : []),
    ...(assertiveness < min_spec_assertiveness
      ? [`assertiveness ${assertiveness} < min ${min_spec_assertiveness}`]
      : []),
    ...(ambiguity > max_spec_ambiguity ? [`ambiguity ${ambiguity} > max ${max_spec_ambiguity}`] : []),
  ]
}

/** The outcome: `success` for an approval without violations. */
export const outcomeOf = (recommendation: 'approve' | 'reject', violations: readonly string[]): 'success' | 'failed' =>
  recommendation === 'approve' && violations.length === 0 ? 'success' : 'failed'

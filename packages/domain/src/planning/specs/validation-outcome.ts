import type { Settings } from '../../kernel/board-settings.ts'

/** The thresholds that a spec validation is judged by, from its board's settings. */
export type Thresholds = Pick<Settings, 'min_spec_completeness' | 'min_spec_assertiveness' | 'max_spec_ambiguity'>

/** The scores of a spec validation, 0-100 each. */
export interface Scores {
  readonly completeness: number
  readonly assertiveness: number
  readonly ambiguity: number
}

/** The thresholds alone, as a record keeps them. */
export const thresholdsOf = (settings: Thresholds): Thresholds => ({
  min_spec_completeness: settings.min_spec_completeness,
  min_spec_assertiveness: settings.min_spec_assertiveness,
  max_spec_ambiguity: settings.max_spec_ambiguity,
})

/** What a score breaks, in words, in the order of the scores; equal to a threshold passes (specs 7.1). */
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

/** Success takes an approval and no violation. */
export const outcomeOf = (recommendation: 'approve' | 'reject', violations: readonly string[]): 'success' | 'failed' =>
  recommendation === 'approve' && violations.length === 0 ? 'success' : 'failed'

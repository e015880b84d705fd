/** Who vouches for a result (evidence 1). Pure. */
import type { EvidenceTier, TierReason } from '@specboard/contract'
import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'

export type Tier = z.output<typeof EvidenceTier>
export type Reason = z.output<typeof TierReason>

/** A tier, and the reason for it. */
export interface TierVerdict {
  readonly tier: Tier
  readonly tier_reason: Reason
}

/**
 * What the tier of evidence is derived from: the caller and the origin of the call, never the contents of the request
 * (evidence 1, rule 1).
 */
type Speaker = Pick<Context, 'origin'> & {
  readonly caller: Pick<Context['caller'], 'kind' | 'present' | 'via' | 'ci'>
}

/**
 * The tier of a result.
 * @param watched whether it belongs to a run that one of our programs watched
 */
export function tierOf({ caller, origin }: Speaker, watched: boolean): TierVerdict {
  if (origin === 'mcp') return { tier: 'claimed', tier_reason: 'mcp' }
  if (caller.kind === 'ci') return tierOfCi(caller)
  if (caller.kind === 'person' && caller.present) return { tier: 'person', tier_reason: 'person' }
  if (watched) return { tier: 'observed', tier_reason: 'run' }
  return { tier: 'claimed', tier_reason: caller.kind === 'person' ? 'not_present' : 'agent' }
}

/** The tier of a result from a CI job: that of its key, or of what its token said about the run (evidence 6). */
export function tierOfCi({ ci }: Pick<Context['caller'], 'ci'>): TierVerdict {
  if (ci === undefined) return { tier: 'ci', tier_reason: 'ci_key' }
  const { reason } = ci.run
  return reason === null ? { tier: 'ci', tier_reason: 'ci_token' } : { tier: 'observed', tier_reason: reason }
}

const order: readonly Tier[] = ['claimed', 'observed', 'ci', 'person']

/** Whether a tier is higher than another one. */
export const isAbove = (one: Tier, other: Tier): boolean => order.indexOf(one) > order.indexOf(other)

/** The lowest of some tiers: a run has the weight of its weakest report. */
export const lowestOf = <Of extends { readonly tier: Tier }>(of: readonly Of[]): Of =>
  of.reduce((lowest, each) => (isAbove(lowest.tier, each.tier) ? each : lowest))

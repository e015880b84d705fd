/** The deciding result of a scenario or card, and how the others differ (evidence 7). */
import type { client } from '../../data/client.ts'

export type Proof = Awaited<ReturnType<typeof client.getProof>>
export type ProofItem = Proof['items'][number]
export type ProofResult = ProofItem['results'][number]

const tiers = ['claimed', 'observed', 'ci', 'person'] as const satisfies readonly ProofResult['tier'][]

const rankOf = ({ tier }: Pick<ProofResult, 'tier'>): number => tiers.indexOf(tier)

const isNewer = (one: ProofResult, other: ProofResult): number => (one.at < other.at ? 1 : -1)

/** The results, those of the best tier first. */
export const byTier = (results: readonly ProofResult[]): readonly ProofResult[] =>
  results.toSorted((one, other) => rankOf(other) - rankOf(one))

/** The newest counting result of the required tier; if none reaches it, the one of the highest tier. */
export function decidingOf({ results, required_tier }: Pick<ProofItem, 'results' | 'required_tier'>) {
  const counting = results.filter(result => result.outdated === null && rankOf(result) >= tiers.indexOf(required_tier))
  return counting.toSorted(isNewer)[0] ?? byTier(results)[0]
}

/** The result of a higher tier that contradicts the deciding one. */
export function contradicting(item: Pick<ProofItem, 'results' | 'required_tier'>): ProofResult | undefined {
  const deciding = decidingOf(item)
  return deciding === undefined
    ? undefined
    : byTier(item.results).find(
        result => result.outdated === null && rankOf(result) > rankOf(deciding) && result.status !== deciding.status,
      )
}

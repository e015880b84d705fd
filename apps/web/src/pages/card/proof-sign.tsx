import { paths } from '../../components/lucide.ts'
import type { client } from '../../data/client.ts'

export type Proof = Awaited<ReturnType<typeof client.getProof>>
export type ProofItem = Proof['items'][number]
export type ProofResult = ProofItem['results'][number]

const tiers = ['claimed', 'observed', 'ci', 'person'] as const satisfies readonly ProofResult['tier'][]

/** The most significant result of an item: the one of the best tier. */
export const bestOf = ({ results }: ProofItem): ProofResult | undefined =>
  results.toSorted((a, b) => tiers.indexOf(b.tier) - tiers.indexOf(a.tier))[0]

const shield = paths.proven.slice(0, paths.proven.lastIndexOf('M'))

/** A shield that fills with the proof of an item: shape first, colour second. */
export function ProofSign({ item }: { readonly item: ProofItem }) {
  const best = bestOf(item)
  const [path, look] = drawn(item, best)
  return (
    <svg
      className={`glyph proof-sign ${look}`}
      width="16"
      height="16"
      viewBox="0 0 24 24"
      aria-hidden="true"
      {...((best === undefined || best.tier === 'claimed') &&
        best?.status !== 'failed' && { strokeDasharray: '3.2 3' })}
    >
      <path d={path} />
    </svg>
  )
}

function drawn({ problem }: ProofItem, best: ProofResult | undefined): readonly [string, string] {
  if (best === undefined) return [shield, '']
  if (best.status === 'failed') return [paths.disproven, 'bad']
  if (problem === 'stale' || problem === 'outdated') return [paths.stale, 'warn']
  if (best.tier === 'person') return [paths.confirmed, 'ok']
  if (best.tier === 'ci') return [paths.proven, 'ok']
  return best.tier === 'observed' ? [paths.watched, ''] : [shield, '']
}

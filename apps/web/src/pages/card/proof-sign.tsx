import { paths } from '../../components/lucide.ts'
import { decidingOf, type ProofItem, type ProofResult } from './proof-results.ts'

const shield = paths.proven.slice(0, paths.proven.lastIndexOf('M'))

/** A shield that fills with the proof of an item: shape first, colour second. */
export function ProofSign({ item }: { readonly item: ProofItem }) {
  const result = decidingOf(item)
  const [path, look] = drawn(item, result)
  return (
    <svg
      className={`glyph proof-sign ${look}`}
      width="16"
      height="16"
      viewBox="0 0 24 24"
      aria-hidden="true"
      {...((result === undefined || result.tier === 'claimed') &&
        result?.status !== 'failed' && { strokeDasharray: '3.2 3' })}
    >
      <path d={path} />
    </svg>
  )
}

function drawn({ problem }: ProofItem, result: ProofResult | undefined): readonly [string, string] {
  if (result === undefined) return [shield, '']
  if (result.status === 'failed') return [paths.disproven, 'bad']
  if (problem === 'stale' || problem === 'outdated') return [paths.stale, 'warn']
  if (result.tier === 'person') return [paths.confirmed, 'ok']
  if (result.tier === 'ci') return [paths.proven, 'ok']
  return result.tier === 'observed' ? [paths.watched, ''] : [shield, '']
}

import type { CardSummary } from '../data/cards.ts'
import { messages } from '../messages/messages.ts'
import './proof-mark.css'

const texts = messages.board.proof

/** The source of the proof, as a letter; the shape around it shows it too. */
const letters = { claimed: 'W', observed: 'R', ci: 'C', person: 'P' } as const

/** How far a card is proven and by whom: broken if it fails, dashed if there are newer commits (evidence 13). */
export function ProofMark({ proof }: Pick<CardSummary, 'proof'>) {
  if (proof === null) return null
  const { status, tier, stale } = proof
  const says = [
    texts.statuses[status],
    ...(tier === null ? [] : [texts.tiers[tier]]),
    ...(stale ? [texts.stale] : []),
  ].join(', ')
  const looks = ['proof-mark', tier ?? 'none', status === 'failing' && 'failing', stale && 'stale']
  return (
    <span className="sign" title={says}>
      <span className={looks.filter(Boolean).join(' ')} aria-hidden="true">
        {tier === null ? '–' : letters[tier]}
      </span>
      <span className="hidden">{says}</span>
    </span>
  )
}

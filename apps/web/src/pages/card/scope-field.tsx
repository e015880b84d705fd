import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { ChipsField } from '../../components/chips-field.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { Card } from '../../data/cards.ts'
import type { Needs } from '../../data/needs.ts'
import { type Overlap, useOverlapsOf } from '../../data/workers.ts'
import { messages } from '../../messages/messages.ts'

interface ScopeFieldProps {
  readonly board: BoardListItem
  readonly card: Card
  readonly needs: Needs
  readonly onAdd: (path: string) => void
  readonly onRemove: (path: string) => void
}

const texts = messages.card

const words = { add: texts.addPath, remove: texts.removePath }

/** Maximum number of files outside a scope that are named. */
const maxDrift = 3

/**
 * The files that a card is about; who else works on them, or on those being typed; and the files outside them that its
 * commits changed (harness 4, 5).
 */
export function ScopeField({ board, card, needs, onAdd, onRemove }: ScopeFieldProps) {
  const [typed, setTyped] = useState('')
  const pattern = useDeferredValue(typed)
  const overlaps = useOverlapsOf(card)
  const patternOverlaps = useOverlapsOf(card, pattern === '' ? [] : [pattern])
  const { paths, scope_drift: drift } = card
  const visible = pattern === '' ? overlaps : patternOverlaps
  return (
    <div className="scope">
      <ChipsField
        values={paths}
        words={words}
        needs={needs}
        maxLength={200}
        onType={setTyped}
        onAdd={onAdd}
        onRemove={onRemove}
      />
      <div aria-live="polite">
        {visible.length > 0 && (
          <>
            <span className="muted">{messages.now.overlaps}</span>
            <ul className="plain" aria-label={messages.now.overlaps}>
              {visible.map(overlap => (
                <Met key={overlap.ref ?? overlap.reservation_id} board={board} overlap={overlap} />
              ))}
            </ul>
          </>
        )}
      </div>
      {drift !== null && drift.outside_total > 0 && (
        <span className="muted">
          {texts.scopeDrift(drift.outside.slice(0, maxDrift), Math.max(0, drift.outside_total - maxDrift))}
        </span>
      )}
    </div>
  )
}

/** Who else works on a file, and for which card. */
const Met = ({ board, overlap }: { readonly board: BoardListItem; readonly overlap: Overlap }) => (
  <li>
    {overlap.ref === undefined ? (
      texts.reserved(overlap.agent_name)
    ) : (
      <>
        <Link href={addressOfCard(board.key, overlap.ref)} title={overlap.title ?? undefined}>
          {overlap.ref}
        </Link>{' '}
        <bdi>{overlap.agent_name}</bdi>
      </>
    )}
    <code dir="auto">{overlap.example}</code>
  </li>
)

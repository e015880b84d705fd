import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Guarded } from '../../components/guarded.tsx'
import { Icon } from '../../components/icon.tsx'
import { StatusSign } from '../../components/status.tsx'
import type { Card } from '../../data/cards.ts'
import { type AllowedMove, type CardMove, cardMoves, isRefused, noteOf } from '../../data/moves.ts'
import { messages } from '../../messages/messages.ts'
import { useMoveCard } from '../../moves/move-context.ts'
import { ValidateDialog } from './validate-dialog.tsx'

const texts = messages.card

/** Where the card may go, and why not elsewhere; validation, where it is time for it. */
export function Moves({ card }: { readonly card: Card }) {
  const { data } = useQuery(cardMoves(card.id))
  const move = useMoveCard()
  const [isValidating, setValidating] = useState(false)
  const validation = data?.operations.find(({ operation }) => operation === 'submit_task_validation')
  return (
    <section className="stack moves" aria-label={texts.moves}>
      {card.status === 'validation' && (
        <Button
          className="button primary"
          needs={['CARDS_VALIDATE']}
          allowed={validation}
          onClick={() => setValidating(true)}
        >
          {texts.validate}
        </Button>
      )}
      {card.status === 'validation' && validation?.state === 'blocked' && (
        <p className="muted">{validation.blockers[0]?.message}</p>
      )}
      <p className="section-title" aria-hidden="true">
        {messages.board.moveTo}
      </p>
      <ul className="plain">
        {data?.moves.map(allowed => (
          <li key={allowed.to}>
            <MoveButton move={allowed} onMove={() => void move(card, allowed.to)} />
          </li>
        ))}
      </ul>
      {isValidating && <ValidateDialog card={card} onClose={() => setValidating(false)} />}
    </section>
  )
}

/** A move, in a few words what it meets; choosing a closed one shows each of its gates with what opens it. */
const MoveButton = ({ move, onMove }: { readonly move: CardMove; readonly onMove: () => void }) => (
  <Guarded allowed={move}>
    {closed => (
      <button type="button" className={isRefused(move) ? 'move refused' : 'move'} onClick={onMove} {...closed}>
        <span className="row">
          <StatusSign status={move.to} />
          {messages.board.statuses[move.to]}
        </span>
        {noteOf(move) !== undefined && <span className="menu-note clamp">{noteOf(move)}</span>}
        {skippedIn(move).map(({ gate, skipped_by }) => (
          <span key={gate} className="menu-note" title={skipped_by ?? undefined}>
            <Icon name="more" size={12} /> {texts.skipped(messages.planning.gates[gate])}
          </span>
        ))}
      </button>
    )}
  </Guarded>
)

/** The gates of a move that a flag or setting keeps from closing. */
const skippedIn = ({ gates }: AllowedMove) => gates.filter(({ state }) => state === 'skipped')

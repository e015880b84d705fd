import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Guarded } from '../../components/guarded.tsx'
import { Icon } from '../../components/icon.tsx'
import { StatusSign } from '../../components/status.tsx'
import type { Card } from '../../data/cards.ts'
import { type CardMove, cardMoves, isRefused, noteOf } from '../../data/moves.ts'
import { messages } from '../../messages/messages.ts'
import { useMoveCard } from '../../moves/move-context.ts'
import { ValidateDialog } from './validate-dialog.tsx'

const texts = messages.card

/** The status of the card, and behind it where it may go; validation, where it is time for it. */
export function Moves({ card }: { readonly card: Card }) {
  const { data } = useQuery(cardMoves(card.id))
  const move = useMoveCard()
  const id = useId()
  const status = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [isValidating, setValidating] = useState(false)
  const validation = data?.operations.find(({ operation }) => operation === 'submit_task_validation')
  const moves = data?.moves ?? []
  const open = moves.filter(allowed => !isRefused(allowed))
  const closed = moves.filter(isRefused)
  const choose = (to: CardMove['to']) => {
    setOpen(false)
    status.current?.focus()
    void move(card, to)
  }
  return (
    <section
      className="moves"
      aria-label={texts.moves}
      onKeyDown={event => {
        if (!isOpen) return
        if (event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          setOpen(false)
          status.current?.focus()
        }
        walk(event)
      }}
    >
      <button
        ref={status}
        type="button"
        className="button status-button"
        data-key="m"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={texts.moveFrom(messages.board.statuses[card.status])}
        onClick={() => setOpen(!isOpen)}
      >
        <StatusSign status={card.status} />
        <span className="grow">{messages.board.statuses[card.status]}</span>
        <kbd data-hint="m" />
        <Icon name={isOpen ? 'up' : 'down'} size={14} />
      </button>
      {isOpen && (
        <div className="move-panel" id={id}>
          <ul className="plain">
            {open.map(allowed => (
              <li key={allowed.to}>
                <MoveButton move={allowed} onMove={() => choose(allowed.to)} />
              </li>
            ))}
          </ul>
          {closed.length > 0 && (
            <details className="closed-moves" open={open.length === 0}>
              <summary className="move">
                <Icon name="down" size={14} /> {texts.closedMoves(closed.length)}
              </summary>
              <ul className="plain">
                {closed.map(allowed => (
                  <li key={allowed.to}>
                    <MoveButton move={allowed} onMove={() => choose(allowed.to)} />
                  </li>
                ))}
              </ul>
            </details>
          )}
          <Skipped moves={moves} />
        </div>
      )}
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
      {isValidating && <ValidateDialog card={card} onClose={() => setValidating(false)} />}
    </section>
  )
}

/** Arrows lead through the moves. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>('button, summary')].filter(control =>
    control.checkVisibility(),
  )
  const at = controls.indexOf(document.activeElement as HTMLElement)
  event.preventDefault()
  controls[(at + step + controls.length) % controls.length]?.focus()
}

/** A move, in a few words what it meets; choosing a closed one shows each of its gates with what opens it. */
const MoveButton = ({ move, onMove }: { readonly move: CardMove; readonly onMove: () => void }) => (
  <Guarded allowed={move}>
    {control => (
      <button type="button" className={isRefused(move) ? 'move refused' : 'move'} onClick={onMove} {...control}>
        <span className="row">
          <StatusSign status={move.to} />
          <span className="grow">{messages.board.statuses[move.to]}</span>
          {move.state === 'asks' && <span className="move-asks">{messages.board.asksFor}</span>}
          {isRefused(move) && <Icon name="lock" size={14} />}
        </span>
        {isRefused(move) && noteOf(move) !== undefined && <span className="menu-note clamp">{noteOf(move)}</span>}
      </button>
    )}
  </Guarded>
)

/** The gates that a flag or setting keeps from closing any of the moves. */
function Skipped({ moves }: { readonly moves: readonly CardMove[] }) {
  const gates = new Set(
    moves.flatMap(({ gates }) => gates.filter(({ state }) => state === 'skipped').map(({ gate }) => gate)),
  )
  if (gates.size === 0) return null
  return (
    <p className="move-skipped">{texts.skippedAll([...gates].map(gate => messages.planning.gates[gate]).join(', '))}</p>
  )
}

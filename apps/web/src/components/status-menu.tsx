import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { messages } from '../messages/messages.ts'
import { Icon } from './icon.tsx'
import './status-menu.css'

/** A move in the list, rendered as a button, and whether it is closed. */
export interface ListedMove {
  readonly to: string
  readonly isClosed: boolean
  /** Renders it; `leave` closes the list before the move is made. */
  readonly render: (leave: () => void) => ReactNode
}

interface StatusMenuProps {
  /** The name of the section. */
  readonly label: string
  /** The status in words. */
  readonly status: string
  /** The icon of the status. */
  readonly sign: ReactNode
  readonly moves: readonly ListedMove[]
  /** Shown below the moves in the list. */
  readonly note?: ReactNode
  /** Shown below the status. */
  readonly children?: ReactNode
}

/** The status of a record as a button that opens the possible moves, with closed moves folded with their reasons. */
export function StatusMenu({ label, status, sign, moves, note, children }: StatusMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = moves.filter(({ isClosed }) => !isClosed)
  const closed = moves.filter(({ isClosed }) => isClosed)
  const leave = () => {
    setOpen(false)
    button.current?.focus()
  }
  const list = (items: readonly ListedMove[]) => (
    <ul className="plain">
      {items.map(move => (
        <li key={move.to}>{move.render(leave)}</li>
      ))}
    </ul>
  )
  return (
    <section
      className="moves"
      aria-label={label}
      onKeyDown={event => {
        if (!isOpen) return
        if (event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          leave()
        }
        walk(event)
      }}
    >
      <button
        ref={button}
        type="button"
        className="button status-button"
        data-key="m"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={messages.card.moveFrom(status)}
        onClick={() => setOpen(!isOpen)}
      >
        {sign}
        <span className="grow">{status}</span>
        <kbd data-hint="m" />
        <Icon name={isOpen ? 'up' : 'down'} size={14} />
      </button>
      {isOpen && (
        <div className="move-panel" id={id}>
          {list(open)}
          {closed.length > 0 && (
            <details className="closed-moves" open={open.length === 0}>
              <summary className="move">{messages.card.closedMoves(closed.length)}</summary>
              {list(closed)}
            </details>
          )}
          {note}
        </div>
      )}
      {children}
    </section>
  )
}

/** Arrow keys move through the list. */
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

import type { CardPriority, CardStatus } from '../data/cards.ts'
import { messages } from '../messages/messages.ts'
import './status.css'

/** How full the sign of a status is, in eighths, and its colour. */
const signs: Readonly<Record<CardStatus, readonly [eighths: number, colour: string]>> = {
  not_started: [0, 'grey'],
  started: [2, 'blue'],
  in_progress: [4, 'blue'],
  validation: [6, 'purple'],
  on_hold: [0, 'amber'],
  done: [8, 'green'],
  cancelled: [0, 'grey'],
}

/** A status as a ring that fills up. */
export function StatusSign({ status }: { readonly status: CardStatus }) {
  const [eighths, colour] = signs[status]
  const around = 2 * Math.PI * 2.75
  return (
    <svg className={`status-sign ${colour}`} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <circle
        cx="7"
        cy="7"
        r="5.75"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray={status === 'not_started' ? '2 1.6' : 'none'}
      />
      {eighths > 0 && eighths < 8 && (
        <circle
          cx="7"
          cy="7"
          r="2.75"
          fill="none"
          stroke="currentColor"
          strokeWidth="5.5"
          strokeDasharray={`${(around * eighths) / 8} ${around}`}
          transform="rotate(-90 7 7)"
        />
      )}
      {status === 'done' && (
        <>
          <circle cx="7" cy="7" r="6.5" fill="currentColor" />
          <path
            d="m4.200 7.200 2 2 3.600-4"
            fill="none"
            className="status-mark"
            strokeWidth="1.6"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </>
      )}
      {status === 'on_hold' && (
        <path d="M5.500 5v4M8.500 5v4" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      )}
      {status === 'cancelled' && (
        <path d="m5 5 4 4M9 5 5 9" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      )}
    </svg>
  )
}

/** A status in words, with its sign. */
export const Status = ({ status }: { readonly status: CardStatus }) => (
  <span className="row status">
    <StatusSign status={status} />
    {messages.board.statuses[status]}
  </span>
)

/** The bars of a priority sign, lowest first. */
const bars = ['M1 9h3v4h-3z', 'M5.5 6h3v7h-3z', 'M10 3h3v10h-3z'] as const

/** How many bars of a priority are full. */
const full: Readonly<Record<CardPriority, number>> = { critical: 3, very_high: 3, high: 3, medium: 2, low: 1, none: 0 }

/** A priority as bars; the highest has an exclamation mark beside colour. Drawn with few elements: boards show many. */
export function PrioritySign({ priority }: { readonly priority: CardPriority }) {
  const name = messages.board.priorities[priority]
  const count = full[priority]
  return (
    <svg className={`priority ${priority}`} width="14" height="14" viewBox="0 0 14 14" role="img" aria-label={name}>
      <title>{name}</title>
      {priority === 'critical' ? (
        <>
          <rect x="0.5" y="0.5" width="13" height="13" rx="3" />
          <path d="M7 3.5v4M7 10.3v.1" className="status-mark" strokeWidth="1.8" strokeLinecap="round" />
        </>
      ) : (
        <>
          {count > 0 && <path d={bars.slice(0, count).join('')} />}
          {count < bars.length && <path className="without" d={bars.slice(count).join('')} />}
        </>
      )}
    </svg>
  )
}

import type { CardPriority, CardStatus } from '../data/cards.ts'
import { messages } from '../messages/messages.ts'
import './status.css'

/** The ring around most status icons. */
const ring = 'M1.4 7a5.6 5.6 0 1 0 11.2 0a5.6 5.6 0 1 0-11.2 0'

/** The shapes of a status icon: its lines, and what is filled. Each status has its own shape; colour is secondary. */
const signs: Readonly<Record<CardStatus, { readonly lines?: string; readonly filled?: string }>> = {
  not_started: { lines: ring },
  started: { lines: ring, filled: 'M7 7V3.5A3.5 3.5 0 0 1 10.5 7Z' },
  in_progress: { lines: ring, filled: 'M7 3.5a3.5 3.5 0 0 1 0 7Z' },
  validation: { lines: ring, filled: 'M7 7V3.5A3.5 3.5 0 1 1 3.5 7Z' },
  on_hold: { lines: `${ring}M5.4 5v4M8.6 5v4` },
  done: {
    filled:
      'M7 .7a6.3 6.3 0 1 0 0 12.6A6.3 6.3 0 0 0 7 .7Zm3.3 4.7L6.4 9.6a.7.7 0 0 1-1 0L3.6 7.8a.7.7 0 0 1 1-1l1.3 1.3 3.4-3.7a.7.7 0 0 1 1 1Z',
  },
  cancelled: { lines: `${ring}M5.1 5.1l3.8 3.8m0-3.8L5.1 8.9` },
}

/** The icon of a status, a clock that fills. */
export function StatusSign({ status }: { readonly status: CardStatus }) {
  const { lines, filled } = signs[status]
  return (
    <svg className={`status-sign ${status}`} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      {lines !== undefined && <path d={lines} />}
      {filled !== undefined && <path className="filled" d={filled} />}
    </svg>
  )
}

/** A status in words, with its icon. */
export const Status = ({ status }: { readonly status: CardStatus }) => (
  <span className="row status">
    <StatusSign status={status} />
    {messages.board.statuses[status]}
  </span>
)

/** The bars of a priority icon, lowest first. */
const bars = ['M1.5 8h2.8v4h-2.8z', 'M5.6 5h2.8v7h-2.8z', 'M9.7 2h2.8v10h-2.8z'] as const

const alarm =
  'M3.5 1h7A2.5 2.5 0 0 1 13 3.5v7a2.5 2.5 0 0 1-2.5 2.5h-7A2.5 2.5 0 0 1 1 10.5v-7A2.5 2.5 0 0 1 3.5 1Zm2.75 2.5h1.5v4.5h-1.5zm0 5.5h1.5v1.5h-1.5z'

/** How many bars of a priority are full. */
const full: Readonly<Record<CardPriority, number>> = { critical: 3, very_high: 3, high: 3, medium: 2, low: 1, none: 0 }

/** A priority as bars; the highest as a red exclamation mark. Drawn with few elements, because boards show many. */
export function PrioritySign({ priority }: { readonly priority: CardPriority }) {
  const name = messages.board.priorities[priority]
  const count = full[priority]
  return (
    <svg className={`priority ${priority}`} width="14" height="14" viewBox="0 0 14 14" role="img" aria-label={name}>
      <title>{name}</title>
      {priority === 'critical' ? (
        <path fillRule="evenodd" d={alarm} />
      ) : (
        <>
          {count > 0 && <path d={bars.slice(0, count).join('')} />}
          {count < bars.length && <path className="without" d={bars.slice(count).join('')} />}
        </>
      )}
    </svg>
  )
}

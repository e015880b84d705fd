import { type CardStatus, useCards } from '../../data/cards.ts'
import { number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import { useBoardView } from './board-context.ts'
import type { DragState } from './drag.ts'

const texts = messages.board.limit

/** How many cards a column holds regardless of filters, and its limit (access 4). */
interface Limit {
  readonly total: number
  readonly limit: number
}

/** The limit of a column; undefined if it has none. */
function useLimit(status: CardStatus): Limit | undefined {
  const { board } = useBoardView()
  const { data: cards = [] } = useCards(board.id)
  const limit = limitOf(board.settings.column_limits, status)
  return limit === undefined ? undefined : { total: cards.filter(card => card.status === status).length, limit }
}

const limitOf = (limits: Readonly<Partial<Record<CardStatus, number>>>, status: CardStatus): number | undefined =>
  limits[status]

interface ColumnCountProps {
  readonly status: CardStatus
  /** The number of cards that are shown. */
  readonly count: number
}

/** The number of cards of a column, with its limit: marked once the column holds more. */
export function ColumnCount({ status, count }: ColumnCountProps) {
  const found = useLimit(status)
  if (found === undefined) return <span className="column-count numbers">{number(count)}</span>
  const { total, limit } = found
  const isOver = total > limit
  const says = isOver ? texts.over(total, limit) : texts.of(limit)
  return (
    <span className={isOver ? 'column-count numbers over' : 'column-count numbers'} title={says}>
      {count}
      <span aria-hidden="true"> / {limit}</span>
      <span className="hidden"> {says}</span>
    </span>
  )
}

interface LimitNoteProps {
  readonly status: CardStatus
  readonly drag: DragState
}

/** A drop that would exceed the limit of a column. */
export function LimitNote({ status, drag }: LimitNoteProps) {
  const says = useLimitNote(status, drag)
  return says === undefined ? null : <p className="column-note column-over">{says}</p>
}

/**
 * The note about cards that are held over a column: that they would exceed its limit, or, on a board that enforces
 * limits, how many of them fit (access 4). Undefined within the limit.
 */
export function useLimitNote(status: CardStatus, drag: DragState): string | undefined {
  const found = useLimit(status)
  const { board } = useBoardView()
  const { data: cards = [] } = useCards(board.id)
  if (found === undefined || drag.ids.size === 0) return undefined
  const coming = cards.filter(card => drag.ids.has(card.id) && card.status !== status).length
  const total = found.total + coming
  if (coming === 0 || total <= found.limit) return undefined
  // A full column with an enforced limit is closed and says so itself; a column that is not full takes some of the
  // cards.
  const isRefusing = board.settings.over_column_limit === 'refuse'
  return isRefusing ? texts.room(found.limit - found.total) : texts.full(total, found.limit)
}

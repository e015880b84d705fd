import { type CardStatus, useCards } from '../../data/cards.ts'
import { number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import { useBoardView } from './board-context.ts'
import type { DragState } from './drag.ts'

const texts = messages.board.limit

/** How many cards a column holds, whatever is filtered, and is to hold at most (access 4). */
interface Limit {
  readonly total: number
  readonly limit: number
}

/** The limit of a column; undefined for one without. */
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
  /** The cards that are shown. */
  readonly count: number
}

/** The number of cards of a column, with its limit. */
export function ColumnCount({ status, count }: ColumnCountProps) {
  const found = useLimit(status)
  if (found === undefined) return <span className="muted numbers grow">{number(count)}</span>
  const { total, limit } = found
  const isOver = total > limit
  const says = isOver ? texts.over(total, limit) : texts.of(limit)
  return (
    <span className="grow">
      <span className={isOver ? 'numbers column-limit over' : 'numbers column-limit'} title={says}>
        {count}
        <span aria-hidden="true"> / {limit}</span>
        <span className="hidden"> {says}</span>
      </span>
    </span>
  )
}

interface LimitNoteProps {
  readonly status: CardStatus
  readonly drag: DragState
}

/** What a drop would bring above the limit of a column, or how much of it a board that refuses more takes (access 4). */
export function LimitNote({ status, drag }: LimitNoteProps) {
  const found = useLimit(status)
  const { board } = useBoardView()
  const { data: cards = [] } = useCards(board.id)
  if (found === undefined || drag.ids.size === 0) return null
  const coming = cards.filter(card => drag.ids.has(card.id) && card.status !== status).length
  const total = found.total + coming
  if (coming === 0 || total <= found.limit) return null
  // A full column that refuses is closed, and says so itself: one that is not takes some of several cards.
  const isRefusing = board.settings.over_column_limit === 'refuse'
  const says = isRefusing ? texts.room(found.limit - found.total) : texts.full(total, found.limit)
  return <p className="column-note column-over">{says}</p>
}

import { type RefObject, useRef } from 'react'
import { announce } from '../../components/announcer.tsx'
import type { CardSummary } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { useMoveCard } from '../../moves/move-context.ts'
import type { BoardView } from './board-context.ts'
import { insertionAt } from './insertion.ts'
import type { Lane } from './lanes.ts'
import { showAt } from './show-card.ts'

const texts = messages.board.order

/** Maximum number of frames to wait for a page. */
const maxFrames = 60

/** Resolves once the page shows what was just written to its cache, at the latest after a second's worth of frames. */
async function drawn(isShown: () => boolean): Promise<void> {
  for (let frames = 0; frames < maxFrames && !isShown(); frames++)
    await new Promise(resolve => requestAnimationFrame(resolve))
}

/** The column that holds a card, in its order on the screen. */
const columnOf = (lanes: readonly Lane[], id: string): readonly CardSummary[] =>
  lanes.flatMap(({ columns }) => [...columns.values()]).find(column => column.some(card => card.id === id)) ?? []

/**
 * Moves a card up or down by one in its column (cards 4.6), one step at a time, and announces its new position; the
 * focus stays on it. If the order is computed, or the card is already at the end, that is announced instead.
 */
export function useReorder(
  root: RefObject<HTMLElement | null>,
  lanes: readonly Lane[],
  view: BoardView,
): (id: string, by: -1 | 1) => void {
  const move = useMoveCard()
  const current = useRef({ lanes, view })
  current.current = { lanes, view }
  const turn = useRef(Promise.resolve())
  const step = async (id: string, by: -1 | 1) => {
    const { board, isByHand } = current.current.view
    if (!isByHand) return announce(texts.computed)
    const column = columnOf(current.current.lanes, id)
    const at = column.findIndex(card => card.id === id)
    const card = column[at]
    if (card === undefined) return
    if (column[at + by] === undefined) return announce(by < 0 ? texts.first(card.ref) : texts.last(card.ref))
    const { position } = insertionAt(column, by < 0 ? at - 1 : at + 2, card)
    await move({ ...card, board_id: board.id }, card.status, position)
    const placeNow = () => columnOf(current.current.lanes, id).findIndex(other => other.id === id)
    await drawn(() => placeNow() !== at)
    const now = columnOf(current.current.lanes, id)
    const place = placeNow()
    const element = root.current?.querySelector(`[data-card="${id}"]`)?.closest('[data-column]')
    if (place === -1 || element == null) return
    showAt(element, place)
    announce(texts.stands(card.ref, place + 1, now.length))
  }
  return (id, by) => {
    turn.current = turn.current.then(() => step(id, by))
  }
}

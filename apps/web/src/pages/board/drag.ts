import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CardStatus, CardSummary } from '../../data/cards.ts'
import { type CardMove, cardMoves } from '../../data/moves.ts'
import { useMoveCard } from '../../moves/move-context.ts'
import { insertionAt } from './insertion.ts'

/** What a tile gives a drag, and a column. */
export interface DraggedCard extends Record<string | symbol, unknown> {
  readonly kind: 'card'
  readonly card: CardSummary
}

export interface DropColumn extends Record<string | symbol, unknown> {
  readonly kind: 'column'
  readonly status: CardStatus
  readonly cards: readonly CardSummary[]
  readonly element: HTMLElement
}

export const isDraggedCard = (data: Record<string | symbol, unknown>): data is DraggedCard => data.kind === 'card'
const isDropColumn = (data: Record<string | symbol, unknown>): data is DropColumn => data.kind === 'column'

/** The card that is dragged, and where it may go. */
export interface DragState {
  readonly card: CardSummary | undefined
  /** The move to a status; undefined until it is known, and for the status that the card has. */
  moveTo(status: CardStatus): CardMove | undefined
}

const notDragged: DragState = { card: undefined, moveTo: () => undefined }

/** The index in front of which something is dropped at a height. */
export function indexAt(element: HTMLElement, clientY: number): number {
  const tiles = [...element.querySelectorAll<HTMLElement>('[data-card]')]
  const below = tiles.find(tile => {
    const { top, height } = tile.getBoundingClientRect()
    return clientY < top + height / 2
  })
  const last = tiles.at(-1)
  return below !== undefined ? Number(below.dataset.index) : last === undefined ? 0 : Number(last.dataset.index) + 1
}

/** Follows a drag over the board: what is allowed is read when it begins, the drop moves the card. */
export function useDragState(boardId: string, cards: readonly CardSummary[] | undefined): DragState {
  const [card, setCard] = useState<CardSummary>()
  const move = useMoveCard()
  const { data: allowed } = useQuery({ ...cardMoves(card?.id ?? ''), enabled: card !== undefined })
  const current = useRef({ move, cards })
  current.current = { move, cards }
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => isDraggedCard(source.data),
        onDragStart: ({ source }) => setCard(isDraggedCard(source.data) ? source.data.card : undefined),
        onDrop: ({ source, location }) => {
          setCard(undefined)
          const target = location.current.dropTargets[0]
          if (target === undefined || !isDropColumn(target.data) || !isDraggedCard(source.data)) return
          const dragged = source.data.card
          const dropped = current.current.cards?.find(({ id }) => id === dragged.id) ?? dragged
          const { status, cards: column, element } = target.data
          const { position } = insertionAt(column, indexAt(element, location.current.input.clientY), dropped)
          if (status === dropped.status && position === dropped.position) return
          void current.current.move({ ...dropped, board_id: boardId }, status, position)
        },
      }),
    [boardId],
  )
  if (card === undefined) return notDragged
  return { card, moveTo: status => allowed?.moves.find(({ to }) => to === status) }
}

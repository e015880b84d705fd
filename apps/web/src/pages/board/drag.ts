import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CardStatus, CardSummary } from '../../data/cards.ts'
import { type CardMove, cardMoves, isRefused, noteOf } from '../../data/moves.ts'
import { messages } from '../../messages/messages.ts'
import { useMoveCard } from '../../moves/move-context.ts'
import { insertionAt } from './insertion.ts'

/** The drag data of a tile, and of a column. */
export interface DraggedCard extends Record<string | symbol, unknown> {
  readonly kind: 'card'
  readonly card: CardSummary
}

export interface DropColumn extends Record<string | symbol, unknown> {
  readonly kind: 'column'
  readonly status: CardStatus
  readonly cards: readonly CardSummary[]
  /** Undefined while it is folded. */
  readonly element: HTMLElement | null
}

export const isDraggedCard = (data: Record<string | symbol, unknown>): data is DraggedCard => data.kind === 'card'
const isDropColumn = (data: Record<string | symbol, unknown>): data is DropColumn => data.kind === 'column'

/** What a column would do with the dragged cards. */
export interface Prospect {
  /** Whether none of them may go there. */
  readonly isClosed: boolean
  readonly note: string | undefined
}

/** The dragged cards, and where they may go. */
export interface DragState {
  readonly ids: ReadonlySet<string>
  /** What is dragged, as a reference or a number of cards. */
  readonly says: string
  /** The column under the pointer. */
  readonly over: CardStatus | undefined
  /** The note of a column; undefined until it is known, and for the current status of the cards. */
  prospectOf(status: CardStatus): Prospect | undefined
}

const notDragged: DragState = { ids: new Set(), says: '', over: undefined, prospectOf: () => undefined }

/** Whether an action on a card applies to all selected cards: it is one of several. */
export const isOfAll = ({ id }: CardSummary, chosen: readonly CardSummary[]): boolean =>
  chosen.length > 1 && chosen.some(card => card.id === id)

/** A column's note from the moves to it of all dragged cards. */
function prospectIn(moves: readonly CardMove[]): Prospect | undefined {
  const [first] = moves
  if (first === undefined) return undefined
  if (moves.length === 1) return { isClosed: isRefused(first), note: noteOf(first) }
  const open = moves.filter(move => !isRefused(move)).length
  return { isClosed: open === 0, note: messages.board.bulk.someMay(open, moves.length) }
}

/** For up to this many dragged cards, the allowed moves are read. */
const mostAsked = 50

interface DragOptions {
  readonly boardId: string
  readonly cards: readonly CardSummary[] | undefined
  /** The selected cards. */
  readonly chosen: readonly CardSummary[]
  /** Moves all selected cards. */
  readonly onDropAll: (to: CardStatus, position: number | undefined) => Promise<void>
  /** Whether cards are in manual order; otherwise the order is computed. */
  readonly isByHand: boolean
}

/** The index before which something is dropped at a height. */
export function indexAt(element: HTMLElement, clientY: number): number {
  const tiles = [...element.querySelectorAll<HTMLElement>('[data-card]')]
  const below = tiles.find(tile => {
    const { top, height } = tile.getBoundingClientRect()
    return clientY < top + height / 2
  })
  const last = tiles.at(-1)
  return below !== undefined ? Number(below.dataset.index) : last === undefined ? 0 : Number(last.dataset.index) + 1
}

/**
 * Follows a drag over the board: the allowed moves are read when it starts, the drop moves the card, or all selected
 * ones.
 */
export function useDragState({ boardId, cards, chosen, onDropAll, isByHand }: DragOptions): DragState {
  const [card, setCard] = useState<CardSummary>()
  const [over, setOver] = useState<CardStatus>()
  const move = useMoveCard()
  const dragged = card === undefined ? [] : isOfAll(card, chosen) ? chosen : [card]
  const ids = dragged.map(({ id }) => id)
  const queries = useQueryClient()
  const { data: allowed = [] } = useQuery({
    queryKey: ['dragged', ids],
    queryFn: () => Promise.all(ids.slice(0, mostAsked).map(id => queries.fetchQuery(cardMoves(id)))),
    enabled: ids.length > 0,
    staleTime: 0,
    gcTime: 0,
  })
  const current = useRef({ move, cards, chosen, onDropAll, isByHand })
  current.current = { move, cards, chosen, onDropAll, isByHand }
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => isDraggedCard(source.data),
        onDragStart: ({ source }) => setCard(isDraggedCard(source.data) ? source.data.card : undefined),
        onDropTargetChange: ({ location }) => {
          const target = location.current.dropTargets[0]
          setOver(target !== undefined && isDropColumn(target.data) ? target.data.status : undefined)
        },
        onDrop: ({ source, location }) => {
          setCard(undefined)
          setOver(undefined)
          const target = location.current.dropTargets[0]
          if (target === undefined || !isDropColumn(target.data) || !isDraggedCard(source.data)) return
          const { card: taken } = source.data
          const { cards, chosen, onDropAll, isByHand } = current.current
          const dropped = cards?.find(({ id }) => id === taken.id) ?? taken
          const { status, cards: column, element } = target.data
          const index = element === null ? 0 : indexAt(element, location.current.input.clientY)
          const position = isByHand ? insertionAt(column, index, dropped).position : undefined
          if (isOfAll(dropped, chosen)) return void onDropAll(status, position)
          if (status === dropped.status && (position === undefined || position === dropped.position)) return
          void current.current.move({ ...dropped, board_id: boardId }, status, position)
        },
      }),
    [boardId],
  )
  if (card === undefined) return notDragged
  return {
    ids: new Set(ids),
    says: dragged.length === 1 ? card.ref : messages.board.cardCount(dragged.length),
    over,
    prospectOf: status => prospectIn(allowed.flatMap(({ moves }) => moves.find(({ to }) => to === status) ?? [])),
  }
}

import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { DragLocation } from '@atlaskit/pragmatic-drag-and-drop/types'
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
  /** Whether none of the cards may move there. */
  readonly isClosed: boolean
  readonly note: string | undefined
}

/** The dragged cards, and where they may go. */
export interface DragState {
  readonly ids: ReadonlySet<string>
  /** What is dragged, in words: a reference or a number of cards. */
  readonly says: string
  /** The column under the pointer. */
  readonly over: CardStatus | undefined
  /** What a column would do with the cards; undefined until that is known, and for the column that the cards are in. */
  prospectOf(status: CardStatus): Prospect | undefined
}

/** The source of a drag: a mouse, or a finger (board-touch.ts). */
export interface DragInput {
  takeUp(card: CardSummary): void
  goOver(status: CardStatus | undefined): void
  /** Drops a card on a column at a height; without a column, back where it was. */
  putDown(card: CardSummary, onto: DropColumn | undefined, clientY: number): void
}

const notDragged: DragState = { ids: new Set(), says: '', over: undefined, prospectOf: () => undefined }

/** Whether an action on a card applies to all selected cards: true if the card is one of several that are selected. */
export const appliesToSelection = ({ id }: CardSummary, chosen: readonly CardSummary[]): boolean =>
  chosen.length > 1 && chosen.some(card => card.id === id)

/** What a column would do, derived from the moves of all dragged cards to it. */
function prospectIn(moves: readonly CardMove[]): Prospect | undefined {
  const [first] = moves
  if (first === undefined) return undefined
  if (moves.length === 1) return { isClosed: isRefused(first), note: noteOf(first) }
  const open = moves.filter(move => !isRefused(move)).length
  return { isClosed: open === 0, note: messages.board.bulk.someMay(open, moves.length) }
}

/** Maximum number of dragged cards for which the allowed moves are read. */
const maxCardsWithMoves = 50

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
 * Follows a card that is dragged over the board: the allowed moves are read when the drag begins; on a drop, the card
 * or all selected cards move.
 */
export function useDragState({ boardId, cards, chosen, onDropAll, isByHand }: DragOptions) {
  const [card, setCard] = useState<CardSummary>()
  const [over, setOver] = useState<CardStatus>()
  const move = useMoveCard()
  const dragged = card === undefined ? [] : appliesToSelection(card, chosen) ? chosen : [card]
  const ids = dragged.map(({ id }) => id)
  const queries = useQueryClient()
  const { data: allowed = [] } = useQuery({
    queryKey: ['dragged', ids],
    queryFn: () => Promise.all(ids.slice(0, maxCardsWithMoves).map(id => queries.fetchQuery(cardMoves(id)))),
    enabled: ids.length > 0,
    staleTime: 0,
    gcTime: 0,
  })
  const putDown: DragInput['putDown'] = (grabbed, onto, clientY) => {
    setCard(undefined)
    setOver(undefined)
    if (onto === undefined) return
    const dropped = cards?.find(({ id }) => id === grabbed.id) ?? grabbed
    const { status, cards: column, element } = onto
    const index = element === null ? 0 : indexAt(element, clientY)
    const position = isByHand ? insertionAt(column, index, dropped).position : undefined
    if (appliesToSelection(dropped, chosen)) return void onDropAll(status, position)
    if (status === dropped.status && (position === undefined || position === dropped.position)) return
    void move({ ...dropped, board_id: boardId }, status, position)
  }
  const current = useRef(putDown)
  current.current = putDown
  const [hand] = useState<DragInput>(() => ({
    takeUp: setCard,
    goOver: setOver,
    putDown: (...down) => current.current(...down),
  }))
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => isDraggedCard(source.data),
        onDragStart: ({ source }) => {
          if (isDraggedCard(source.data)) hand.takeUp(source.data.card)
        },
        onDropTargetChange: ({ location }) => hand.goOver(columnUnder(location.current)?.status),
        onDrop: ({ source, location }) => {
          if (isDraggedCard(source.data))
            hand.putDown(source.data.card, columnUnder(location.current), location.current.input.clientY)
        },
      }),
    [hand],
  )
  return { drag: card === undefined ? notDragged : stateOf(dragged, over, allowed), hand }
}

/** The column that the pointer holds something over. */
function columnUnder({ dropTargets: [target] }: DragLocation): DropColumn | undefined {
  return target !== undefined && isDropColumn(target.data) ? target.data : undefined
}

const stateOf = (
  dragged: readonly CardSummary[],
  over: CardStatus | undefined,
  allowed: readonly { readonly moves: readonly CardMove[] }[],
): DragState => ({
  ids: new Set(dragged.map(({ id }) => id)),
  says: dragged.length === 1 ? dragged[0]!.ref : messages.board.cardCount(dragged.length),
  over,
  prospectOf: status => prospectIn(allowed.flatMap(({ moves }) => moves.find(({ to }) => to === status) ?? [])),
})

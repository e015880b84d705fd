import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CardStatus, CardSummary } from '../../data/cards.ts'
import { type CardMove, cardMoves, isRefused, noteOf } from '../../data/moves.ts'
import { messages } from '../../messages/messages.ts'
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
  /** Undefined while it is folded. */
  readonly element: HTMLElement | null
}

export const isDraggedCard = (data: Record<string | symbol, unknown>): data is DraggedCard => data.kind === 'card'
const isDropColumn = (data: Record<string | symbol, unknown>): data is DropColumn => data.kind === 'column'

/** What stands under a column while cards are dragged over it. */
export interface Prospect {
  /** Whether none of them may go there. */
  readonly isClosed: boolean
  readonly note: string | undefined
}

/** The cards that are dragged, and where they may go. */
export interface DragState {
  readonly ids: ReadonlySet<string>
  /** What is dragged, by its reference, or how many. */
  readonly says: string
  /** The column that it is held over. */
  readonly over: CardStatus | undefined
  /** What a column says; undefined until it is known, and for the status that the cards have. */
  prospectOf(status: CardStatus): Prospect | undefined
}

const notDragged: DragState = { ids: new Set(), says: '', over: undefined, prospectOf: () => undefined }

/** Whether what is done with a card is done with all that are selected: it is one of several. */
export const isOfAll = ({ id }: CardSummary, chosen: readonly CardSummary[]): boolean =>
  chosen.length > 1 && chosen.some(card => card.id === id)

/** What a column says of the moves to it of all cards that are dragged. */
function prospectIn(moves: readonly CardMove[]): Prospect | undefined {
  const [first] = moves
  if (first === undefined) return undefined
  if (moves.length === 1) return { isClosed: isRefused(first), note: noteOf(first) }
  const open = moves.filter(move => !isRefused(move)).length
  return { isClosed: open === 0, note: messages.board.bulk.someMay(open, moves.length) }
}

/** Of how many cards is asked where each may go, while they are dragged. */
const mostAsked = 50

interface DragOptions {
  readonly boardId: string
  readonly cards: readonly CardSummary[] | undefined
  /** The cards that are selected. */
  readonly chosen: readonly CardSummary[]
  /** Moves all that are selected. */
  readonly onDropAll: (to: CardStatus, position: number | undefined) => Promise<void>
  /** Whether cards stand where they are put; else they come in an order of their own. */
  readonly isByHand: boolean
}

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

/** Follows a drag over the board: what is allowed is read when it begins, the drop moves the card, or all selected ones. */
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

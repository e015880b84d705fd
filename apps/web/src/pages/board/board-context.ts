import { createContext, useContext } from 'react'
import type { BoardListItem } from '../../data/boards.ts'
import type { CardStatus, CardSummary } from '../../data/cards.ts'
import type { CardFact } from './display.ts'

/** What every tile of a board needs; it changes rarely, so tiles are rarely re-rendered because of it. */
export interface BoardView {
  readonly board: BoardListItem
  readonly names: ReadonlyMap<string, string>
  /** The titles of the specs, by id. */
  readonly specTitles: ReadonlyMap<string, string>
  /** The facts that a card shows in addition to its reference, title and assignee. */
  readonly facts: ReadonlySet<CardFact>
  /** Whether a card is one line. */
  readonly isCompact: boolean
  /** Whether the cards of a column are in manual order. */
  readonly isByHand: boolean
  /** Opens a card over the filtered board. */
  openCard(ref: string): void
  openMenu(card: CardSummary, anchor: HTMLElement): void
  toggleSelected(card: CardSummary): void
  /** The columns that were unfolded manually, which can be folded again. */
  readonly unfolded: ReadonlySet<CardStatus>
  /** Unfolds a column, or folds one that was unfolded this way. */
  setFolded(status: CardStatus, isFolded: boolean): void
  /** Unfolds a column while a card is dragged. */
  peek(status: CardStatus): void
}

export const BoardContext = createContext<BoardView | undefined>(undefined)

export function useBoardView(): BoardView {
  const view = useContext(BoardContext)
  if (view === undefined) throw new Error('There is no board around this.')
  return view
}

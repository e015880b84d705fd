import { createContext, useContext } from 'react'
import type { BoardListItem } from '../../data/boards.ts'
import type { CardStatus, CardSummary } from '../../data/cards.ts'
import type { CardFact } from './display.ts'

/** What every tile of a board needs; it changes seldom, so that tiles are not drawn again for it. */
export interface BoardView {
  readonly board: BoardListItem
  readonly names: ReadonlyMap<string, string>
  /** The titles of the specs, by their ids. */
  readonly specTitles: ReadonlyMap<string, string>
  /** What a card shows besides its reference, title and who has it. */
  readonly facts: ReadonlySet<CardFact>
  /** Whether a card is one line. */
  readonly isCompact: boolean
  /** Whether the cards of a column stand as they were put. */
  readonly isByHand: boolean
  /** Opens a card over the board as it is filtered. */
  openCard(ref: string): void
  openMenu(card: CardSummary, anchor: HTMLElement): void
  toggleSelected(card: CardSummary): void
  /** The columns that were shown by hand, which can be folded again. */
  readonly unfolded: ReadonlySet<CardStatus>
  /** Shows a folded column, or folds one that was shown by this. */
  setFolded(status: CardStatus, isFolded: boolean): void
  /** Shows a folded column as long as a card is dragged. */
  peek(status: CardStatus): void
}

export const BoardContext = createContext<BoardView | undefined>(undefined)

export function useBoardView(): BoardView {
  const view = useContext(BoardContext)
  if (view === undefined) throw new Error('There is no board around this.')
  return view
}

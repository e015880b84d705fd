import { createContext, useContext } from 'react'
import type { BoardListItem } from '../../data/boards.ts'
import type { CardSummary } from '../../data/cards.ts'

/** What every tile of a board needs; it changes seldom, so that tiles are not drawn again for it. */
export interface BoardView {
  readonly board: BoardListItem
  readonly names: ReadonlyMap<string, string>
  /** Opens a card over the board as it is filtered. */
  openCard(ref: string): void
  openMenu(card: CardSummary, anchor: HTMLElement): void
  toggleSelected(card: CardSummary): void
}

export const BoardContext = createContext<BoardView | undefined>(undefined)

export function useBoardView(): BoardView {
  const view = useContext(BoardContext)
  if (view === undefined) throw new Error('There is no board around this.')
  return view
}

import { createContext, useContext } from 'react'
import type { BoardListItem } from '../../data/boards.ts'
import type { CardSummary } from '../../data/cards.ts'

/** The parts of a card that can be changed in its row. */
export type EditedField = 'status' | 'priority' | 'assignee' | 'label' | 'due'

/** What the cells of a list need; it changes rarely, so rows are rarely re-rendered because of it. */
export interface ListView {
  readonly board: BoardListItem
  /** Opens a card over the list as it is filtered. */
  openCard(ref: string): void
  /** Lets somebody choose a value for a card, or for all cards selected with it. */
  edit(field: EditedField, card: CardSummary, anchor: HTMLElement): void
}

export const ListContext = createContext<ListView | undefined>(undefined)

export function useListView(): ListView {
  const view = useContext(ListContext)
  if (view === undefined) throw new Error('There is no list around this.')
  return view
}

import { createContext, useContext } from 'react'
import type { CardStatus, CardSummary } from '../data/cards.ts'

/** The fields of a card that a move needs. */
export type MovedCard = Pick<CardSummary, 'id' | 'ref' | 'title' | 'status'> &
  Partial<Pick<CardSummary, 'position'>> & { readonly board_id: string }

/** Moves a card if possible: asks for what the move needs, and explains what blocks it. */
export type MoveCard = (card: MovedCard, to: CardStatus, position?: number) => Promise<void>

export const MoveContext = createContext<MoveCard | undefined>(undefined)

export function useMoveCard(): MoveCard {
  const move = useContext(MoveContext)
  if (move === undefined) throw new Error('There is no MoveProvider around this.')
  return move
}

import { createContext, useContext } from 'react'
import type { CardStatus, CardSummary } from '../data/cards.ts'

/** What a move needs to know of a card. */
export type MovedCard = Pick<CardSummary, 'id' | 'ref' | 'title' | 'status'> &
  Partial<Pick<CardSummary, 'position'>> & { readonly board_id: string }

/** Moves a card, as far as it may: asks for what the move asks for, explains what blocks it. */
export type MoveCard = (card: MovedCard, to: CardStatus, position?: number) => Promise<void>

export const MoveContext = createContext<MoveCard | undefined>(undefined)

export function useMoveCard(): MoveCard {
  const move = useContext(MoveContext)
  if (move === undefined) throw new Error('There is no MoveProvider around this.')
  return move
}

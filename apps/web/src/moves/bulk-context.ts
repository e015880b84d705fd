import { createContext, useContext } from 'react'
import type { BulkMove } from './bulk.ts'
import type { MovedCard } from './move-context.ts'

/** A change of several cards that are not moved by it. */
export interface BulkChange<Card extends MovedCard = MovedCard> {
  readonly change: (card: Card) => Promise<unknown>
  readonly undo: (card: Card) => Promise<unknown>
}

/** What is done with several cards as one: all of them, or with a word on each that it was not done with. */
export interface Bulk {
  /** Answers the cards that it was done with, once the person has left what tells of the others. */
  move(cards: readonly MovedCard[], move: BulkMove): Promise<readonly MovedCard[]>
  change<Card extends MovedCard>(cards: readonly Card[], change: BulkChange<Card>): Promise<readonly MovedCard[]>
}

export const BulkContext = createContext<Bulk | undefined>(undefined)

export function useBulk(): Bulk {
  const bulk = useContext(BulkContext)
  if (bulk === undefined) throw new Error('There is no BulkProvider around this.')
  return bulk
}

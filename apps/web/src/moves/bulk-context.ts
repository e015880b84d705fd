import { createContext, useContext } from 'react'
import type { BulkMove } from './bulk.ts'
import type { MovedCard } from './move-context.ts'

/** A change of several cards other than a move. */
export interface BulkChange<Card extends MovedCard = MovedCard> {
  readonly change: (card: Card) => Promise<unknown>
  readonly undo: (card: Card) => Promise<unknown>
}

/** Actions on several cards: each card is either changed or reported with the reason. */
export interface Bulk {
  /** Resolves to the cards that were moved, once the person has closed the report about the others. */
  move(cards: readonly MovedCard[], move: BulkMove): Promise<readonly MovedCard[]>
  change<Card extends MovedCard>(cards: readonly Card[], change: BulkChange<Card>): Promise<readonly MovedCard[]>
}

export const BulkContext = createContext<Bulk | undefined>(undefined)

export function useBulk(): Bulk {
  const bulk = useContext(BulkContext)
  if (bulk === undefined) throw new Error('There is no BulkProvider around this.')
  return bulk
}

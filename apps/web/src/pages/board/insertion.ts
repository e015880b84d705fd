import type { CardSummary } from '../../data/cards.ts'

/** Where a card is dropped in a column. */
export interface Insertion {
  /** The card that it is put before; undefined at the end. */
  readonly before: CardSummary | undefined
  /** Its position in the column, as updates take it; -1 is the end (cards 3.1). */
  readonly position: number
}

/**
 * The position of a dropped card.
 * @param cards the cards of the column, in order
 * @param index the index before which it is dropped
 * @param dropped the card; if it comes from above in the same column, the others move up
 */
export function insertionAt(
  cards: readonly CardSummary[],
  index: number,
  dropped: Pick<CardSummary, 'id' | 'status' | 'position'>,
): Insertion {
  const before = cards.slice(index).find(card => card.id !== dropped.id)
  if (before === undefined) return { before, position: -1 }
  const isBelow = before.status === dropped.status && before.position > dropped.position
  return { before, position: isBelow ? before.position - 1 : before.position }
}

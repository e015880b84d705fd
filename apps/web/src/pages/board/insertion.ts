import type { CardSummary } from '../../data/cards.ts'

/** Where a card is dropped in a column. */
export interface Insertion {
  /** The card that it is put before; undefined at the end. */
  readonly before: CardSummary | undefined
  /** Its position in the column, as an update takes it; -1 is the end (cards 3.1). */
  readonly position: number
}

/**
 * The place of a dropped card.
 * @param cards the cards of the column, in order
 * @param index the index in front of which it is dropped
 * @param dropped the card; one that leaves a place above in the same column moves the others up
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

import type { CardSummary } from '../../data/cards.ts'

/** Where a card is dropped in a column. */
export interface Insertion {
  /** The card that it is put before; undefined at the end. */
  readonly before: CardSummary | undefined
  /** Its position in the column, as updates take it; -1 is the end (cards 3.1). */
  readonly position: number
}

/**
 * The position of a dropped card: that of the card before which it is dropped, which then moves down with all cards after it (cards 4.6).
 * @param cards the cards of the column, in order
 * @param index the index before which it is dropped
 */
export function insertionAt(cards: readonly CardSummary[], index: number, dropped: Pick<CardSummary, 'id'>): Insertion {
  const before = cards.slice(index).find(card => card.id !== dropped.id)
  return { before, position: before?.position ?? -1 }
}

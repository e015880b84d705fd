import type { CardFact } from './facts.ts'
import { hoursBetween } from './measures.ts'

/** Hours from a record's creation to its completion; null unless it was completed here (B.1). */
export const cycleOf = ({
  created_at,
  completed_at,
}: {
  readonly created_at: string
  readonly completed_at: string | null
}) => (completed_at === null ? null : hoursBetween(created_at, completed_at))

/** The cards that are done. */
export const doneOf = <Card extends Pick<CardFact, 'status'>>(cards: readonly Card[]): Card[] =>
  cards.filter(card => card.status === 'done')

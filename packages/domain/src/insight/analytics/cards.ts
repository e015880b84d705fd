import type { CardFact } from './facts.ts'
import { hoursBetween } from './measures.ts'

/** Hours from a done card's creation to its completion; null unless it is done (B.1). */
export const cardCycle = ({ status, created_at, moved_at }: Pick<CardFact, 'status' | 'created_at' | 'moved_at'>) =>
  status === 'done' ? hoursBetween(created_at, moved_at) : null

/** Hours from a record's creation to its end; null unless it is in its final status (B.1). */
export const planningCycle = ({
  created_at,
  completed_at,
}: {
  readonly created_at: string
  readonly completed_at: string | null
}) => (completed_at === null ? null : hoursBetween(created_at, completed_at))

/** The cards that are done. */
export const doneOf = <Card extends Pick<CardFact, 'status'>>(cards: readonly Card[]): Card[] =>
  cards.filter(card => card.status === 'done')

import { CardStatus } from '@specboard/contract'
import type { CardFact, TaskValidationFact } from './facts.ts'
import { breakdown, hoursBetween, mean, percent } from './measures.ts'

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

/** Those of the cards that are done. */
export const doneOf = <Card extends Pick<CardFact, 'status'>>(cards: readonly Card[]): Card[] =>
  cards.filter(card => card.status === 'done')

/** How many cards have each status. */
export const cardBreakdown = (cards: readonly Pick<CardFact, 'status'>[]) =>
  breakdown(
    CardStatus.options,
    cards.map(card => card.status),
  )

/** How many cards are of each type. */
export const typeCounts = (cards: readonly Pick<CardFact, 'card_type'>[]) =>
  breakdown(
    ['normal', 'test', 'bug'],
    cards.map(card => card.card_type),
  )

/** The bugs among the cards, how many are open, and how severe they are. */
export function bugCounts(cards: readonly Pick<CardFact, 'card_type' | 'status' | 'severity'>[]) {
  const bugs = cards.filter(card => card.card_type === 'bug')
  return {
    bugs_total: bugs.length,
    bugs_open: bugs.filter(bug => bug.status !== 'done' && bug.status !== 'cancelled').length,
    bugs_by_severity: breakdown(
      ['critical', 'major', 'minor'],
      bugs.map(bug => bug.severity),
    ),
  }
}

/** The share of cards that are done, in percent; 0 of none. */
export const completionRate = (cards: readonly Pick<CardFact, 'status'>[]): number =>
  percent(doneOf(cards).length, cards.length, 0)

/** The means of what the last conclusions report (B.1). */
export const reportedMeans = (cards: readonly Pick<CardFact, 'completeness' | 'drift'>[]) => ({
  avg_completeness: mean(cards.map(card => card.completeness)),
  avg_drift: mean(cards.map(card => card.drift)),
})

/** The validations of some cards: those of each card that has any, oldest first. */
export const validationGroups = (
  cards: readonly Pick<CardFact, 'id'>[],
  validations: ReadonlyMap<string, TaskValidationFact[]>,
): TaskValidationFact[][] => cards.flatMap(card => [validations.get(card.id) ?? []]).filter(group => group.length > 0)

import { cycleOf } from '../cards.ts'
import type { CardFact, TaskValidationFact } from '../facts.ts'
import { mean, oneDecimal } from '../measures.ts'

/** The cycle hours of a card, rounded for display; null unless it was done here. */
export function shownCycle(card: Pick<CardFact, 'created_at' | 'completed_at'>): number | null {
  const hours = cycleOf(card)
  return hours === null ? null : oneDecimal(hours)
}

/** Completeness and drift of a card: from its last conclusion, else from its newest validation, else null (B.13). */
export function scoresOf(
  card: CardFact,
  validations: ReadonlyMap<string, readonly TaskValidationFact[]>,
): { readonly completeness: number | null; readonly drift: number | null } {
  const newest = validations.get(card.id)?.at(-1)
  return {
    completeness: card.completeness ?? newest?.completeness ?? null,
    drift: card.drift ?? newest?.drift ?? null,
  }
}

/** The means of the scores. */
export const meanScores = (scores: readonly Pick<CardFact, 'completeness' | 'drift'>[]) => ({
  avg_completeness: mean(scores.map(({ completeness }) => completeness)),
  avg_drift: mean(scores.map(({ drift }) => drift)),
})

/** The mean cycle hours of the cards that were done here. */
export const meanCardCycle = (cards: readonly CardFact[]): number | null => mean(cards.map(cycleOf))

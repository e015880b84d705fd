import { doneOf } from './cards.ts'
import type { CardFact, TaskValidationFact } from './facts.ts'

const named = ({ id, title, card_type }: CardFact) => ({ card_id: id, title, card_type })

/** What executors reported of those done cards that have a conclusion (B.6). */
export const conclusionReported = (cards: readonly CardFact[]) =>
  doneOf(cards)
    .filter(card => card.conclusions > 0)
    .map(card => ({ ...named(card), completeness: card.completeness, drift: card.drift }))

/** What reviewers found of those done cards that have a validation: the latest success, else the latest record (B.6). */
export const validationReported = (
  cards: readonly CardFact[],
  validations: ReadonlyMap<string, readonly TaskValidationFact[]>,
) =>
  doneOf(cards).flatMap(card => {
    const records = validations.get(card.id) ?? []
    const record = records.findLast(({ outcome }) => outcome === 'success') ?? records.at(-1)
    if (record === undefined) return []
    const { confidence, completeness, drift, outcome } = record
    return [{ ...named(card), confidence, completeness, drift, outcome: outcome as 'success' | 'failed' }]
  })

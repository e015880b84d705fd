import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CardSummary } from '../../data/cards.ts'
import { insertionAt } from './insertion.ts'

const card = (id: string, position: number): CardSummary => ({ id, status: 'started', position }) as CardSummary

/** A column as the service keeps it: in order, with gaps where cards were taken out. */
const columns = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 }).map(steps =>
  steps.map((_, index) =>
    card(
      `c${index}`,
      steps.slice(0, index + 1).reduce((sum, step) => sum + step),
    ),
  ),
)

/**
 * What the service does (cards 4.6): a card takes the position of another, and all cards from that position on move up
 * by one.
 */
function placed(cards: readonly CardSummary[], id: string, position: number): string[] {
  const others = cards.filter(card => card.id !== id)
  const at = position === -1 ? Math.max(-1, ...others.map(other => other.position)) + 1 : position
  const isTaken = others.some(other => other.position === at)
  return [
    ...others.map(other => card(other.id, other.position + (isTaken && other.position >= at ? 1 : 0))),
    card(id, at),
  ]
    .toSorted((one, other) => one.position - other.position)
    .map(card => card.id)
}

test('at the end of a column, or of an empty one, stands -1', () => {
  const foreign = { id: 'x' }
  expect(insertionAt([], 0, foreign).position).toBe(-1)
  expect(insertionAt([card('a', 0), card('b', 1)], 2, foreign).position).toBe(-1)
})

test('a card comes in front of the card that it is dropped before, from above, from below and from elsewhere', () => {
  fc.assert(
    fc.property(columns, fc.nat(), fc.nat(), fc.boolean(), (cards, from, to, isOwn) => {
      const id = isOwn ? cards[from % cards.length]!.id : 'x'
      const { before, position } = insertionAt(cards, to % (cards.length + 1), { id })
      const after = placed(cards, id, position)
      expect(after[after.indexOf(id) + 1]).toBe(before?.id)
      expect(after.filter(other => other !== id)).toEqual(cards.map(other => other.id).filter(other => other !== id))
    }),
  )
})

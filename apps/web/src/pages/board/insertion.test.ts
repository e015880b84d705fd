import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CardSummary } from '../../data/cards.ts'
import { insertionAt } from './insertion.ts'

type Placed = Pick<CardSummary, 'id' | 'status' | 'position'>

const column = (length: number): CardSummary[] =>
  Array.from({ length }, (_, position) => ({ id: `c${position}`, status: 'started', position }) as CardSummary)

test('at the end of a column, or of an empty one, stands -1', () => {
  const foreign: Placed = { id: 'x', status: 'done', position: 3 }
  expect(insertionAt([], 0, foreign).position).toBe(-1)
  expect(insertionAt(column(3), 3, foreign).position).toBe(-1)
})

test('a card comes in front of the card that it is dropped before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(), fc.nat(), fc.boolean(), (length, from, to, isOwn) => {
      const cards = column(length)
      const index = to % (length + 1)
      const dropped: Placed = isOwn ? cards[from % length]! : { id: 'x', status: 'done', position: 0 }
      const { before, position } = insertionAt(cards, index, dropped)
      // What the service does: takes the card out, then puts it at the position.
      const rest = cards.map(card => card.id).filter(id => id !== dropped.id)
      const placed = position === -1 ? [...rest, dropped.id] : rest.toSpliced(position, 0, dropped.id)
      expect(placed[placed.indexOf(dropped.id) + 1]).toBe(before?.id)
    }),
  )
})

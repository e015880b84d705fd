import { expect, test } from 'vitest'
import { firstExpiry, opennessChanged, withReadAgain } from './card-list.ts'
import type { CardSummary } from './cards.ts'

const card = (id: string, position: number, fields: Partial<CardSummary> = {}) =>
  ({ id, position, status: 'started', claim: null, ...fields }) as CardSummary

const a = card('a', 0)
const b = card('b', 1)

test('a card that was read again stands where it stood, a new one is added, one that was not found is gone', () => {
  const changed = { ...a, title: 'anew' }
  const added = card('c', 2)
  expect(withReadAgain([a, b], new Set(['a', 'b', 'c']), [changed, added])).toEqual([changed, added])
})

test('a card that was put where another stands moved others too', () => {
  expect(withReadAgain([a, b], new Set(['c']), [card('c', 1)])).toBeUndefined()
  expect(withReadAgain([a, b], new Set(['a']), [card('a', 1)])).toBeUndefined()
})

test('cards that stand at one place already move nobody when they are read again', () => {
  const both = [a, card('b', 0)]
  expect(withReadAgain(both, new Set(['a']), [a])).toEqual(both)
})

test('those who wait are told of cards that were done or opened again', () => {
  const done = card('a', 5, { status: 'done' })
  expect(opennessChanged([a, b], new Set(['a', 'b']), [done, b])).toEqual([done])
  expect(opennessChanged([done], new Set(['a']), [a])).toEqual([a])
  expect(opennessChanged([a], new Set(['a']), [])).toBeUndefined()
  expect(opennessChanged([done], new Set(['a']), [])).toEqual([])
})

test('the first claim that runs out', () => {
  const claim = (expires_at: string) => ({ claim: { expires_at } as CardSummary['claim'] })
  expect(firstExpiry([a])).toBeUndefined()
  const claimed = [card('a', 0, claim('2026-01-01T02:00:00Z')), card('b', 1, claim('2026-01-01T01:00:00Z'))]
  expect(firstExpiry(claimed)).toBe(Date.parse('2026-01-01T01:00:00Z'))
})

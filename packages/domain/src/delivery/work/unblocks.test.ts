import { atOnce } from '@specboard/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DependencyLink } from '../cards/dependencies/cycle.ts'
import { countUnblocked } from './unblocks.ts'

/** Links in which a card waits only for cards with a smaller number, so that none waits for itself. */
const links = fc.integer({ min: 2, max: 60 }).chain(cards =>
  fc.array(
    fc
      .tuple(fc.nat(cards - 1), fc.nat(cards - 1))
      .filter(([a, b]) => a !== b)
      .map(([a, b]) => ({ card_id: `card ${Math.max(a, b)}`, depends_on_id: `card ${Math.min(a, b)}` })),
    { maxLength: 200 },
  ),
)

function naively(all: readonly DependencyLink[], card: string): number {
  const reached = new Set<string>()
  const follow = (awaited: string) => {
    for (const { card_id } of all.filter(link => link.depends_on_id === awaited)) {
      if (reached.has(card_id)) continue
      reached.add(card_id)
      follow(card_id)
    }
  }
  follow(card)
  return reached.size
}

test('counts the cards that wait for each card, directly or through others', () => {
  fc.assert(
    fc.property(links, all => {
      const counts = atOnce(countUnblocked(all))
      for (const card of new Set(all.flatMap(link => [link.card_id, link.depends_on_id])))
        expect([card, counts.get(card) ?? 0]).toEqual([card, naively(all, card)])
    }),
  )
})

test('counts a chain that takes several blocks', () => {
  const length = 2_500
  const chain = Array.from({ length }, (_, at) => ({ card_id: `${at + 1}`, depends_on_id: `${at}` }))
  const counts = atOnce(countUnblocked(chain))
  expect(counts.get('0')).toBe(length)
  expect(counts.get('1300')).toBe(length - 1_300)
  expect(counts.has(`${length}`)).toBe(false)
})

test('knows no cards without links', () => {
  expect(atOnce(countUnblocked([]))).toEqual(new Map())
})

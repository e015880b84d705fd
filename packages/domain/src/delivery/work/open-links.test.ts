import { atOnce } from '@specboard/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DependencyLink } from '../cards/dependencies/cycle.ts'
import { OpenLinks } from './open-links.ts'
import { countUnblocked } from './unblocks.ts'

const cards = 12
const keyOf = ({ card_id, depends_on_id }: DependencyLink) => `${card_id} ${depends_on_id}`

/** A link in which a card waits only for one with a smaller number, so that none waits for itself. */
const link = fc
  .tuple(fc.nat(cards - 1), fc.nat(cards - 1))
  .filter(([a, b]) => a !== b)
  .map(([a, b]): DependencyLink => ({ card_id: `card ${Math.max(a, b)}`, depends_on_id: `card ${Math.min(a, b)}` }))
const links = fc.uniqueArray(link, { selector: keyOf, maxLength: 30 })

const countsOf = (open: OpenLinks) =>
  new Map(Array.from({ length: cards }, (_, at) => [`card ${at}`, open.unblocks(`card ${at}`)]))

/** The given links, counted. */
function counted(all: readonly DependencyLink[]): OpenLinks {
  const open = new OpenLinks(all)
  atOnce(open.count())
  return open
}

test('corrects the counts after every change as if all were recounted, and says whose changed', () => {
  fc.assert(
    fc.property(links, fc.array(links, { maxLength: 6 }), (first, changes) => {
      const open = counted(first)
      let standing = new Map(first.map(dependency => [keyOf(dependency), dependency]))
      for (const changed of changes) {
        const before = countsOf(open)
        const removed = changed.filter(dependency => standing.has(keyOf(dependency)))
        const added = changed.filter(dependency => !standing.has(keyOf(dependency)))
        standing = new Map([...standing, ...added.map(dependency => [keyOf(dependency), dependency] as const)])
        for (const dependency of removed) standing.delete(keyOf(dependency))
        const affected = open.change(added, removed)
        const expected = atOnce(countUnblocked([...standing.values()]))
        const after = countsOf(open)
        expect([...after]).toEqual([...after.keys()].map(card => [card, expected.get(card) ?? 0]))
        expect(affected?.toSorted()).toEqual(
          [...after.keys()].filter(card => after.get(card) !== before.get(card)).toSorted(),
        )
        expect(open.size).toBe(standing.size)
      }
    }),
  )
})

test('knows the links of a card in both directions', () => {
  const all = [
    { card_id: 'b', depends_on_id: 'a' },
    { card_id: 'c', depends_on_id: 'b' },
  ]
  expect(
    counted(all)
      .of('b')
      .toSorted((x, y) => (keyOf(x) < keyOf(y) ? -1 : 1)),
  ).toEqual(all)
  expect(counted(all).of('d')).toEqual([])
})

test('gives up on counts that take too long to correct, and has the links all the same', () => {
  const chain = (length: number, from = 0): DependencyLink[] =>
    Array.from({ length }, (_, at) => ({ card_id: `card ${from + at + 1}`, depends_on_id: `card ${from + at}` }))
  const open = counted([...chain(1_000), ...chain(1_000, 1_001)])
  expect(open.change([{ card_id: 'card 1001', depends_on_id: 'card 1000' }], [])).toBeUndefined()
  atOnce(open.count())
  expect(open.unblocks('card 0')).toBe(2_001)
})

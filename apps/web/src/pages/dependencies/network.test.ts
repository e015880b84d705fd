import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CardSummary } from '../../data/card-list.ts'
import { layoutOf, pathOf } from './layout.ts'
import { blockingMost, chainOf, networkOf } from './network.ts'

const card = (id: string, fields: Partial<CardSummary> = {}) =>
  ({ id, ref: id.toUpperCase(), title: id, status: 'not_started', spec_id: 's', ...fields }) as CardSummary
const link = (card_id: string, depends_on_id: string) => ({ card_id, depends_on_id })
const all = { isChosen: () => true, withDone: false }

/** b and c wait for a, d for both of them, e for d; f is not linked to any card. */
const cards = ['a', 'b', 'c', 'd', 'e', 'f'].map(id => card(id))
const links = [link('b', 'a'), link('c', 'a'), link('d', 'b'), link('d', 'c'), link('e', 'd')]

test('the critical path is the longest row of open cards, and each card knows how many it holds up', () => {
  const network = networkOf(cards, links, all)
  expect(network.criticalPath).toEqual(['a', 'b', 'd', 'e'])
  expect(blockingMost(network).map(({ card, holdsUp }) => [card.id, holdsUp])).toEqual([
    ['a', 4],
    ['b', 2],
    ['c', 2],
    ['d', 1],
  ])
  expect(network.alone).toBe(1)
  expect([...chainOf(network, 'c')].toSorted()).toEqual(['a', 'c', 'd', 'e'])
})

test('what is done neither waits nor is waited for, unless it is asked for', () => {
  const updated = cards.map(item => (item.id === 'a' ? card('a', { status: 'done' }) : item))
  const open = networkOf(updated, links, all)
  expect(open.cards.has('a')).toBe(false)
  expect(open.criticalPath).toEqual(['b', 'd', 'e'])
  const whole = networkOf(updated, links, { ...all, withDone: true })
  expect(whole.cards.get('a')).toMatchObject({ holdsUp: 0, waiting: ['b', 'c'] })
  expect(whole.criticalPath).toEqual(['b', 'd', 'e'])
})

test('of a spec, cards of others are shown that its own wait for', () => {
  const mixed = cards.map(item => card(item.id, { spec_id: item.id === 'a' || item.id === 'e' ? 'other' : 's' }))
  const network = networkOf(mixed, links, { ...all, isChosen: ({ spec_id }) => spec_id === 's' })
  expect([...network.cards.values()].map(({ card, isOutside }) => [card.id, isOutside])).toEqual([
    ['a', true],
    ['b', false],
    ['c', false],
    ['d', false],
  ])
})

test('a drawing has every awaited card left of what waits for it, and no two on one place', () => {
  const acyclicLinks = fc.uniqueArray(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 20 }).map(pairs =>
    // Links lead from larger to smaller numbers, so that there is no cycle.
    pairs.filter(([a, b]) => a !== b).map(([a, b]) => link(`n${Math.max(a, b)}`, `n${Math.min(a, b)}`)),
  )
  fc.assert(
    fc.property(acyclicLinks, links => {
      const unique = [...new Map(links.map(item => [`${item.card_id} ${item.depends_on_id}`, item])).values()]
      const nodes = Array.from({ length: 12 }, (_, index) => card(`n${index}`))
      const network = networkOf(nodes, unique, all)
      const { places, links: lines } = layoutOf(network)
      for (const { card_id, depends_on_id } of unique)
        expect(places.get(depends_on_id)!.x).toBeLessThan(places.get(card_id)!.x)
      expect(new Set([...places.values()].map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`)).size).toBe(
        places.size,
      )
      expect(lines.length).toBe(unique.length)
      for (const { points } of lines) expect(pathOf(points)).toMatch(/^M/)
    }),
    { numRuns: 60 },
  )
})

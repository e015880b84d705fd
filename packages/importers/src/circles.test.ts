import { atOnce } from '@specboard/contract'
import { array, assert, integer, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { closingCircles } from './circles.ts'

type Pair = readonly [card: string, on: string]

const closing = (...pairs: readonly Pair[]): Pair[] => {
  const links = pairs.map(([card_id, depends_on_id]) => ({ card_id, depends_on_id }))
  const found = atOnce(closingCircles(links))
  return links.filter(link => found.has(link)).map(link => [link.card_id, link.depends_on_id])
}

test.each<[string, Pair[], Pair[]]>([
  ['nothing', [], []],
  [
    'a tree',
    [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'd'],
      ['c', 'd'],
    ],
    [],
  ],
  [
    'a card that waits for itself',
    [
      ['a', 'a'],
      ['a', 'b'],
    ],
    [['a', 'a']],
  ],
  [
    'two that wait for one another',
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['b', 'a']],
  ],
  [
    'a circle of three',
    [
      ['c', 'a'],
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ],
    [['b', 'c']],
  ],
  [
    'circles that share a link',
    [
      ['a', 'b'],
      ['b', 'a'],
      ['b', 'c'],
      ['c', 'a'],
    ],
    [
      ['b', 'a'],
      ['c', 'a'],
    ],
  ],
])('%s', (_, pairs, expected) => expect(closing(...pairs)).toEqual(expected))

/** Whether `to` can be reached from `from`, by the simplest possible search. */
function reaches(links: readonly Pair[], from: string, to: string, visited: readonly string[] = []): boolean {
  if (from === to) return true
  return links.some(([card, on]) => card === from && !visited.includes(on) && reaches(links, on, to, [...visited, on]))
}

test('a link is left out exactly when it closes a circle with those that stand before it', () => {
  const cards = integer({ min: 0, max: 5 }).map(String)
  assert(
    property(array(tuple(cards, cards), { maxLength: 12 }), pairs => {
      const standing: Pair[] = []
      const expected = pairs.filter(([card, on]) => {
        const closes = reaches(standing, on, card)
        if (!closes) standing.push([card, on])
        return closes
      })
      expect(closing(...pairs)).toEqual(expected)
    }),
  )
})

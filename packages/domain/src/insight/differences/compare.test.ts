import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldDiff, longestRising } from './compare.ts'
import { Effort, wordParts } from './words.ts'

const joined = (parts: readonly (readonly [number, string])[], without: number) =>
  parts.map(([kind, words]) => (kind === without ? '' : words)).join('')

describe('words', () => {
  test.each([
    ['', 'new words', [[1, 'new words']]],
    ['gone', '', [[-1, 'gone']]],
    ['the same', 'the same', [[0, 'the same']]],
    [
      'Keep the basket.',
      'Keep a basket!',
      [
        [0, 'Keep '],
        [-1, 'the'],
        [1, 'a'],
        [0, ' basket'],
        [-1, '.'],
        [1, '!'],
      ],
    ],
  ])('%j to %j', (old, now, parts) => expect(wordParts(old, now, new Effort())).toEqual(parts))

  test('the parts are the texts, without empty ones or two neighbours of one kind', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '.', 'é', '🎉')).map(all => all.join(''))
    fc.assert(
      fc.property(text, text, (old, now) => {
        const parts = wordParts(old, now, new Effort())
        expect([joined(parts, 1), joined(parts, -1)]).toEqual([old, now])
        for (const [index, [kind, words]] of parts.entries()) {
          expect(words).not.toBe('')
          expect(kind).not.toBe(parts[index + 1]?.[0])
        }
      }),
    )
  })

  test('texts that differ too much are compared as a whole, and so is what follows', () => {
    const effort = new Effort()
    const words = (from: number) => Array.from({ length: 2_000 }, (_, index) => `w${from + index}`).join(' ')
    const [old, now] = [`begin ${words(0)} end`, `begin ${words(5_000)} end`]
    expect(wordParts(old, now, effort).map(([kind]) => kind)).toEqual([0, -1, 1, 0])
    expect(effort.maxEdits).toBe(0)
    expect(wordParts('x a b', 'x b c a', effort).map(([kind]) => kind)).toEqual([0, -1, 1])
  })
})

describe('lists', () => {
  const diff = (old: unknown, now: unknown) => {
    const { added, removed, changed, moved } = fieldDiff('f', old, now, new Effort())
    return { added, removed, changed, moved }
  }

  test.each([
    ['by text', ['a', 'b'], ['b', 'c'], { added: ['c'], removed: ['a'], changed: [], moved: [] }],
    ['an equal text counts again', ['a'], ['a', 'a'], { added: ['a'], removed: [], changed: [], moved: [] }],
    [
      'one that moves far',
      ['a', 'b', 'c', 'd'],
      ['d', 'a', 'b', 'c'],
      { added: [], removed: [], changed: [], moved: ['d'] },
    ],
    ['from null', null, ['a'], { added: ['a'], removed: [], changed: [], moved: [] }],
    [
      'by id',
      [{ id: '1', t: 'a' }, { id: '2' }],
      [{ id: '1', t: 'b' }, { id: '2' }],
      { added: [], removed: [], changed: [{ id: '1', old: { id: '1', t: 'a' }, new: { id: '1', t: 'b' } }], moved: [] },
    ],
  ])('%s', (_, old, now, expected) => expect(diff(old, now)).toEqual(expected))

  test('other values have neither parts nor items', () => {
    const nothing = { parts: null, added: null, removed: null, changed: null, moved: null }
    expect(fieldDiff('f', true, false, new Effort())).toEqual({ field: 'f', old: true, new: false, ...nothing })
  })

  test('what stays in its place rises, and nothing longer does', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 20 }), { maxLength: 9 }), numbers => {
        const rising = numbers.filter((_, index) => longestRising(numbers).has(index))
        expect(rising).toEqual(rising.toSorted((a, b) => a - b))
        const best = subsets(numbers).filter(set => set.every((value, index) => index === 0 || set[index - 1]! < value))
        expect(rising).toHaveLength(Math.max(...best.map(set => set.length)))
      }),
    )
  })
})

const subsets = (numbers: readonly number[]): number[][] =>
  Array.from({ length: 2 ** numbers.length }, (_, chosen) => numbers.filter((_, index) => (chosen >> index) & 1))

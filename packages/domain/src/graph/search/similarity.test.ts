import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Best, inverseFrequency, similarity, termWeights } from './similarity.ts'

test('a rare term weighs more than a frequent one', () => {
  expect(inverseFrequency(10, 1)).toBeCloseTo(Math.log(1 + 9.5 / 1.5))
  expect(inverseFrequency(10, 1)).toBeGreaterThan(inverseFrequency(10, 9))
})

test.each([
  [0.5, 0, 0.5],
  [0.2, 1, 0.9],
  [-0.4, 0, 0],
  [1.0000001, 1, 1],
])('cosine %d, coverage %d: %d', (cosine, coverage, expected) =>
  expect(similarity(cosine, coverage)).toBeCloseTo(expected, 12),
)

describe('the weights of terms', () => {
  test('are shares of the total', () => {
    const [frequent, rare] = [inverseFrequency(4, 2), inverseFrequency(4, 1)]
    expect(termWeights([2, 1], 4)).toEqual([frequent / (frequent + rare), rare / (frequent + rare)])
  })

  test('are empty or 0 without terms or nodes', () => {
    expect(termWeights([], 4)).toEqual([])
    expect(termWeights([0], 0)).toEqual([1])
  })
})

test('keeps the same items in the same order as sorting', () =>
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer()), fc.integer({ min: 1, max: 5 }), (items, limit) => {
      const best = new Best<number>(limit, (a, b) => a > b)
      for (const item of items) best.add(item)
      expect(best.items).toEqual(items.toSorted((a, b) => b - a).slice(0, limit))
    }),
  ))

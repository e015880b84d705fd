import { describe, expect, test } from 'vitest'
import { outcomeOf, thresholdsOf, violationsOf } from './validation-outcome.ts'

const thresholds = { min_spec_completeness: 80, min_spec_assertiveness: 70, max_spec_ambiguity: 30 }

describe('violations', () => {
  test.each([
    [{ completeness: 80, assertiveness: 70, ambiguity: 30 }, []],
    [{ completeness: 79, assertiveness: 70, ambiguity: 30 }, ['completeness 79 < min 80']],
    [{ completeness: 80, assertiveness: 69, ambiguity: 30 }, ['assertiveness 69 < min 70']],
    [{ completeness: 80, assertiveness: 70, ambiguity: 31 }, ['ambiguity 31 > max 30']],
    [
      { completeness: 0, assertiveness: 0, ambiguity: 100 },
      ['completeness 0 < min 80', 'assertiveness 0 < min 70', 'ambiguity 100 > max 30'],
    ],
  ])('%j', (scores, violations) => expect(violationsOf(scores, thresholds)).toEqual(violations))
})

test.each([
  ['approve', [], 'success'],
  ['approve', ['x'], 'failed'],
  ['reject', [], 'failed'],
  ['reject', ['x'], 'failed'],
] as const)('%s with violations %j: %s', (recommendation, violations, outcome) => {
  expect(outcomeOf(recommendation, violations)).toBe(outcome)
})

test('a record keeps only the thresholds of the settings', () => {
  expect(thresholdsOf({ ...thresholds, other: 1 } as typeof thresholds)).toEqual(thresholds)
})

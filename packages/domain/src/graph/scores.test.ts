import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boosted, combinedScore, decayedHits, type Measures, priorityBoost, relevance } from './scores.ts'

const now = '2026-03-01T00:00:00.000Z'
const daysAgo = (days: number) => new Date(Date.parse(now) - days * 86_400_000).toISOString()

const plain: Measures = {
  source_confidence: 1,
  degree: 0,
  query_hits: 0,
  last_queried_at: null,
  priority_boost: 0,
  manual_boost: 0,
  boosted_at: null,
  contradictions: 0,
  revocation_reason: null,
}

describe('relevance', () => {
  test.each<[string, Partial<Measures>, number]>([
    ['confidence 1.0, degree 2 (the example of the contract)', { degree: 2 }, 0.4716],
    ['a critical bug with the same degree', { degree: 2, priority_boost: 0.2 }, 0.6716],
    ['confidence alone', {}, 0.4],
    ['degree 99 and more count as 1', { degree: 500 }, 0.7],
    ['9 hits just now', { query_hits: 9, last_queried_at: now }, 0.4 + 0.3 * 0.5],
    ['18 hits one half-life ago count as 9', { query_hits: 18, last_queried_at: daysAgo(30) }, 0.55],
    ['a boost given one half-life ago is halved', { manual_boost: 0.3, boosted_at: daysAgo(30) }, 0.55],
    ['contradictions cost at most 0.5', { degree: 500, contradictions: 0.85 }, 0.2],
    ['below 0.5 contradictions cost their sum', { degree: 500, contradictions: 0.3 }, 0.4],
    ['a cancelled source costs 0.5', { degree: 500, revocation_reason: 'source_cancelled' }, 0.2],
    ['never below 0', { revocation_reason: 'source_cancelled' }, 0],
    ['never above 1.5', { degree: 500, manual_boost: 3, boosted_at: now }, 1.5],
  ])('%s', (_, measures, expected) => expect(relevance({ ...plain, ...measures }, now)).toBeCloseTo(expected, 4))

  test('is from 0 to 1.5 with four decimals, whatever the measures', () =>
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(1000),
        fc.nat(1000),
        fc.nat(400),
        (confidence, degree, hits, days) => {
          const score = relevance(
            { ...plain, source_confidence: confidence, degree, query_hits: hits, last_queried_at: daysAgo(days) },
            now,
          )
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(1.5)
          expect(Math.round(score * 10_000) / 10_000).toBe(score)
        },
      ),
    ))
})

test('hits without a query time count as 0', () => expect(decayedHits(7, null, now)).toBe(0))

describe('a boost', () => {
  test('adds 0.3 and survives a recomputation', () => {
    const { score, manual_boost } = boosted({ relevance_score: 0.4716, manual_boost: 0, boosted_at: null }, now)
    expect(score).toBe(0.7716)
    expect(relevance({ ...plain, degree: 2, manual_boost, boosted_at: now }, now)).toBe(0.7716)
  })

  test('adds to what is left of earlier boosts, up to 1.5', () => {
    expect(boosted({ relevance_score: 1.3, manual_boost: 0.6, boosted_at: daysAgo(30) }, now)).toEqual({
      score: 1.5,
      manual_boost: 0.5,
    })
  })
})

describe('the priority boost', () => {
  test.each([
    ['none', 0],
    ['low', 0],
    ['medium', 0.05],
    ['high', 0.1],
    ['very_high', 0.15],
    ['critical', 0.2],
    ['urgent', 0],
    [null, 0],
  ])('%s', (priority, expected) =>
    expect(priorityBoost({ card_type: 'normal', priority, severity: 'critical' })).toBe(expected),
  )

  test.each([
    ['none', 'minor', 0.1],
    ['none', 'major', 0.15],
    ['medium', 'critical', 0.2],
    ['critical', 'minor', 0.2],
    ['none', null, 0],
  ])('bug of priority %s and severity %s', (priority, severity, expected) =>
    expect(priorityBoost({ card_type: 'bug', priority, severity })).toBe(expected),
  )
})

test('the combined score weighs similarity, degree, freshness and confidence, and is halved when out of force', () => {
  const node = { degree: 99, age_days: 30, source_confidence: 1, dimmed: false }
  expect(combinedScore(node, 0.8)).toBe(0.8)
  expect(combinedScore({ ...node, dimmed: true }, 0.8)).toBe(0.4)
})

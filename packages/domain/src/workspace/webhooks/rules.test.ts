import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AttemptResult, healthAfter, healthAfterPing, settledBy, takes, waitAfter } from './rules.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

test.each([
  [['*'], 'card_moved', true],
  [['card_*'], 'card_moved', true],
  [['card_*'], 'card_', true],
  [['card_*'], 'comment_added', false],
  [['card_moved'], 'card_moved', true],
  [['card_moved'], 'card_moved_back', false],
  [['spec_*', 'card_moved'], 'card_moved', true],
  [['spec_*', 'card_moved'], 'card_created', false],
])('%j takes %s: %s', (actions, action, expected) => {
  expect(takes(actions, action)).toBe(expected)
})

describe('the schedule', () => {
  test.each([
    [1, 5 * second],
    [2, minute],
    [3, 5 * minute],
    [4, 30 * minute],
    [5, 2 * hour],
    [6, 5 * hour],
    [7, 10 * hour],
    [8, 14 * hour],
    [9, 20 * hour],
    [10, 24 * hour],
    [11, undefined],
  ])('after try %i the next one waits %s ms', (attempts, wait) => {
    expect(waitAfter(attempts, 0)).toBe(wait)
  })

  test('jitter adds a tenth at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const [least, wait] = [waitAfter(attempts, 0)!, waitAfter(attempts, random)!]
        expect(wait).toBeGreaterThanOrEqual(least)
        expect(wait).toBeLessThanOrEqual(1.1 * least)
      }),
    )
  })
})

const came = (outcome: AttemptResult['outcome'], status: number | null = null): AttemptResult => ({
  outcome,
  status,
  excerpt: null,
  durationMs: 1,
})

test.each<[AttemptResult, number, unknown]>([
  [came('received', 204), 1, { status: 'delivered' }],
  [came('received', 200), 11, { status: 'delivered' }],
  [came('failed', 500), 1, { status: 'pending', waitMs: 5_000 }],
  [came('failed', 302), 2, { status: 'pending', waitMs: 60_000 }],
  [came('failed'), 10, { status: 'pending', waitMs: 24 * hour }],
  [came('failed'), 11, { status: 'failed' }],
  [came('failed', 410), 1, { status: 'failed' }],
  [came('refused'), 1, { status: 'failed' }],
])('%j at try %i makes %j', (delivered, attempts, settled) => {
  expect(settledBy(delivered, attempts, 0)).toEqual(settled)
})

describe('the health of a webhook', () => {
  const now = '2030-01-10T00:00:00.000Z'
  const daysAgo = (days: number) => new Date(Date.parse(now) - days * 24 * hour).toISOString()

  test('a success ends a time of failing', () => {
    expect(healthAfter(came('received', 200), { failing_since: daysAgo(4) }, now)).toEqual({
      last_success_at: now,
      failing_since: null,
    })
  })

  test('a ping changes nothing of it, unless the receiver is gone', () => {
    for (const delivered of [came('received', 200), came('failed', 500), came('refused')])
      expect(healthAfterPing(delivered)).toEqual({})
    expect(healthAfterPing(came('failed', 410)).disabled_reason).toMatch(/410/)
  })

  test.each([
    [null, now],
    [daysAgo(1), daysAgo(1)],
    [daysAgo(4.999), daysAgo(4.999)],
  ])('failing since %s, a failure leaves it on', (failing_since, since) => {
    expect(healthAfter(came('failed', 500), { failing_since }, now)).toEqual({
      last_failure_at: now,
      failing_since: since,
    })
  })

  test.each<[AttemptResult, string | null, RegExp]>([
    [came('failed', 500), daysAgo(5), /5 days/],
    [came('refused'), daysAgo(6), /5 days/],
    [came('failed', 410), null, /410/],
  ])('%j, failing since %s, switches it off', (delivered, failing_since, reason) => {
    expect(healthAfter(delivered, { failing_since }, now).disabled_reason).toMatch(reason)
  })
})

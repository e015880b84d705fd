import { describe, expect, test } from 'vitest'
import {
  type Arrival,
  addCounts,
  countKinds,
  failingAfter,
  outcomeOf,
  planOf,
  reportsKind,
  type SendResult,
} from './rules.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const now = Date.parse('2030-01-05T12:00:00Z')

const arrival = (place: string, ageMs: number, kind = 'question'): Arrival => ({
  item_id: `${kind}:${place}`,
  place,
  kind,
  arrived_at: new Date(now - ageMs).toISOString(),
})

const situation = { now, arrivals: [], heldUntil: undefined, wasHeld: false, recent: [] }

test('a channel tells the kinds that it names, or all', () => {
  expect(reportsKind(['question'], 'question')).toBe(true)
  expect(reportsKind(['question'], 'mention')).toBe(false)
  expect(reportsKind(['*'], 'mention')).toBe(true)
})

describe('what a channel does', () => {
  test('nothing without arrivals', () => {
    expect(planOf(situation)).toEqual({ kind: 'nothing' })
  })

  test('an item rests half a second', () => {
    expect(planOf({ ...situation, arrivals: [arrival('a', 100)] })).toEqual({ kind: 'wait', until: now + 400 })
  })

  test('items are told one by one', () => {
    const arrivals = [arrival('a', second), arrival('b', second)]
    expect(planOf({ ...situation, arrivals })).toEqual({ kind: 'item', item: arrivals[0] })
  })

  test('five a minute; what is more is held until there is room, and told together', () => {
    const arrivals = [arrival('a', second), arrival('b', second)]
    const recent = [50, 40, 30, 20, 10].map(ago => now - ago * second)
    expect(planOf({ ...situation, arrivals, recent })).toEqual({
      kind: 'hold',
      until: now + 10 * second,
      items: arrivals,
    })
    expect(planOf({ ...situation, arrivals, wasHeld: true, recent: recent.slice(1) })).toEqual({
      kind: 'summary',
      items: arrivals,
    })
  })

  test('what is older than an hour comes in one summary, then the rest', () => {
    const arrivals = [arrival('a', 3 * hour), arrival('b', 2 * hour), arrival('c', minute)]
    expect(planOf({ ...situation, arrivals })).toEqual({ kind: 'summary', items: arrivals.slice(0, 2) })
  })

  test('what is older than a week is passed', () => {
    const old = arrival('a', 8 * 24 * hour)
    expect(planOf({ ...situation, arrivals: [old] })).toEqual({ kind: 'pass', to: 'a' })
  })

  test('quiet hours hold everything', () => {
    const arrivals = [arrival('a', 0)]
    expect(planOf({ ...situation, arrivals, heldUntil: now + hour })).toEqual({
      kind: 'hold',
      until: now + hour,
      items: arrivals,
    })
  })
})

const came = (outcome: SendResult['outcome'], more: Partial<SendResult> = {}): SendResult => ({
  outcome,
  status: null,
  excerpt: null,
  retryAfterMs: undefined,
  ...more,
})

test.each<[SendResult, number, unknown]>([
  [came('received'), 1, { status: 'delivered' }],
  [came('failed', { status: 500 }), 1, { status: 'pending', waitMs: 5 * second }],
  [came('failed', { status: 500 }), 5, { status: 'pending', waitMs: 2 * hour }],
  [came('failed', { status: 500 }), 6, { status: 'failed' }],
  [came('failed', { status: 429, retryAfterMs: 30 * second }), 1, { status: 'pending', waitMs: 30 * second }],
  [came('refused'), 1, { status: 'failed' }],
  [came('failed', { status: 410, gone: 'Gone.' }), 1, { status: 'failed', disabled: 'Gone.' }],
])('%j at try %i makes %j', (result, attempts, outcome) => {
  expect(outcomeOf(result, attempts)).toEqual(outcome)
})

test('a channel is switched off after 3 days and 10 failures', () => {
  const at = new Date(now).toISOString()
  const since = (days: number) => new Date(now - days * 24 * hour).toISOString()
  expect(failingAfter({ failing_since: null, failures: 0 }, at)).toEqual({
    last_failure_at: at,
    failing_since: at,
    failures: 1,
  })
  expect(failingAfter({ failing_since: since(3), failures: 8 }, at)).not.toHaveProperty('disabled_reason')
  expect(failingAfter({ failing_since: since(2), failures: 20 }, at)).not.toHaveProperty('disabled_reason')
  expect(failingAfter({ failing_since: since(3), failures: 9 }, at)).toHaveProperty('disabled_reason')
})

test('kinds are counted and added', () => {
  const counts = countKinds([{ kind: 'question' }, { kind: 'question' }, { kind: 'mention' }])
  expect(addCounts(counts, { question: 1, answer: 2 })).toEqual({ question: 3, mention: 1, answer: 2 })
})

import { expect, test } from 'vitest'
import { breakdown, hoursBetween, mean, oneDecimal, percent } from './measures.ts'
import { ascending, descending, ranked } from './ranking.ts'

test.each([
  [0, 0],
  [33.333, 33.3],
  [66.65, 66.7],
  [0.05, 0.1],
  [99.95, 100],
])('%f rounds to %f', (value, rounded) => {
  expect(oneDecimal(value)).toBe(rounded)
})

test('a percentage of 0 is null, or the given value', () => {
  expect(percent(2, 3)).toBe(66.7)
  expect(percent(23, 80)).toBe(28.8)
  expect(percent(0, 0)).toBeNull()
  expect(percent(0, 0, 100)).toBe(100)
})

test('a mean leaves out absent values, and is null without any value', () => {
  expect(mean([80, null, 85, undefined])).toBe(82.5)
  expect(mean([1, 1, 2])).toBe(1.3)
  expect(mean([null])).toBeNull()
})

test('converts times to hours', () => {
  expect(hoursBetween('2026-01-01T00:00:00.000Z', '2026-01-02T01:30:00.000Z')).toBe(25.5)
})

test('a breakdown has exactly the given keys', () => {
  expect(breakdown(['a', 'b'], ['b', 'b', 'x', null])).toStrictEqual({ a: 0, b: 2 })
})

test('a ranking sorts by the first key that differs, and does not change its input', () => {
  const items = [
    { n: 1, t: 'b' },
    { n: 2, t: 'c' },
    { n: 1, t: 'a' },
  ]
  const order = ranked(
    items,
    descending(item => item.n),
    ascending(item => item.t),
  )
  expect(order.map(item => item.t).join('')).toBe('cab')
  expect(items[0]!.t).toBe('b')
})

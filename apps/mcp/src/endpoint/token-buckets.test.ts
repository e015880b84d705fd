import { expect, test } from 'vitest'
import { TokenBuckets } from './token-buckets.ts'

test('a burst of four seconds of calls, then the steady rate', () => {
  let now = 0
  const limit = new TokenBuckets(10, () => now)
  expect(Array.from({ length: 40 }, () => limit.take('k')).every(wait => wait === 0)).toBe(true)
  expect(limit.take('k')).toBe(100)
  expect(limit.take('other')).toBe(0)
  now = 100
  expect(limit.take('k')).toBe(0)
  expect(limit.take('k')).toBe(100)
})

test('0 switches the limit off', () => {
  const limit = new TokenBuckets(0, () => 0)
  expect(Array.from({ length: 1000 }, () => limit.take('k')).every(wait => wait === 0)).toBe(true)
})

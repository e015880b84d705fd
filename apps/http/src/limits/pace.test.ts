import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

/** When an upload at a rate of bytes per second is ended, s; undefined if it is not within ten minutes. */
function endOf(bytesAt: (second: number) => number): number | undefined {
  const pace = new Pace(0)
  let bytes = 0
  for (let second = 1; second <= 600; second++) {
    bytes += bytesAt(second)
    if (pace.isTooSlow(second * 1_000, bytes)) return second
  }
  return undefined
}

test('ends after ten seconds without a byte', () => {
  expect(endOf(() => 0)).toBe(10)
  expect(endOf(second => (second <= 100 ? 5_000 : 0))).toBe(110)
})

test('ends after a minute with less than 1 kB a second', () => {
  expect(endOf(() => 1)).toBe(60)
  expect(endOf(() => 999)).toBe(60)
  expect(endOf(second => (second % 9 === 0 ? 8_000 : 0))).toBe(60)
  expect(endOf(second => (second <= 100 ? 5_000 : 10))).toBeGreaterThan(100)
})

test('goes on at 1 kB a second', () => {
  expect(endOf(() => 1_000)).toBeUndefined()
  expect(endOf(second => (second % 9 === 0 ? 12_000 : 0))).toBeUndefined()
})

test('time in which nobody wants the bytes does not count', () => {
  const pace = new Pace(0)
  expect(pace.isTooSlow(5_000, 0)).toBe(false)
  pace.rest(300_000, 10)
  expect(pace.isTooSlow(309_000, 10)).toBe(false)
  expect(pace.isTooSlow(310_000, 10)).toBe(true)
})

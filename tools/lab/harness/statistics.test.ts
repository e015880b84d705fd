import { expect, test } from 'vitest'
import { p50, percentile, ratio, sum, times } from './statistics.ts'

test('a percentile is the value below which the share lies, whatever the order', () => {
  const values = [30, 10, 50, 20, 40]
  expect([p50(values), percentile(values, 0.99), percentile(values, 0)]).toEqual([30, 50, 10])
  expect(values[0]).toBe(30)
  expect(percentile([7], 0.5)).toBe(7)
})

test('ratios and sums', () => {
  expect([ratio(3, 2), ratio(3, 2, 2), sum([1, 2, 3]), sum([])]).toEqual(['1.5 ×', '1.50 ×', 6, 0])
})

test('each round is timed, in turn', async () => {
  const rounds: number[] = []
  expect(await times(3, round => rounds.push(round))).toHaveLength(3)
  expect(rounds).toEqual([0, 1, 2])
})

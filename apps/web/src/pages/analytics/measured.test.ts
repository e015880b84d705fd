import { expect, test } from 'vitest'
import { ticksTo } from './measured.ts'

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [16, [0, 5, 10, 15, 20]],
  [149, [0, 50, 100, 150]],
])('a scale to %d has steps that people count in', (most, ticks) => {
  expect(ticksTo(most)).toEqual(ticks)
})

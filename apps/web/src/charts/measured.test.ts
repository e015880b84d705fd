import { expect, test } from 'vitest'
import { isLabelled, ticksTo, timeTicksTo } from './measured.ts'

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [16, [0, 5, 10, 15, 20]],
  [149, [0, 50, 100, 150]],
])('a scale to %d has steps that people count in', (max, ticks) => {
  expect(ticksTo(max)).toEqual(ticks)
})

test.each([
  [0.4, 'minutes', [0, 10, 20, 30]],
  [30, 'hours', [0, 10, 20, 30]],
  [96, 'days', [0, 1, 2, 3, 4]],
])('a scale of time to %d hours is in %s', (max, unit, ticks) => {
  expect(timeTicksTo(max)).toMatchObject({ unit, ticks })
})

test('labels of an axis leave room for each other, and the last is among them', () => {
  const labelled = Array.from({ length: 30 }, (_, place) => place).filter(place => isLabelled(place, 30, 320))
  expect(labelled).toEqual([4, 9, 14, 19, 24, 29])
})

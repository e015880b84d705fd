import { expect, test } from 'vitest'
import { risingProgress } from './progress.ts'

test('progress rises, at most ten times in any second', () => {
  const reports: number[] = []
  let now = 0
  const progress = risingProgress(
    done => reports.push(done),
    () => now,
  )
  for (const done of [1, 1, 3, 2, 4]) progress(done)
  expect(reports).toEqual([1, 3, 4])
  for (let done = 5; done <= 25; done++) progress(done)
  expect(reports).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  now = 999
  progress(26)
  now = 1000
  for (let done = 27; done <= 60; done++) progress(done)
  expect(reports.slice(10)).toEqual([27, 28, 29, 30, 31, 32, 33, 34, 35, 36])
})

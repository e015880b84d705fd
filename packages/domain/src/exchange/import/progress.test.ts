import { expect, test } from 'vitest'
import type { ImportProgress } from '../../kernel/context.ts'
import { Progress } from './progress.ts'

const started = (total: number) => {
  const told: (readonly [ImportProgress['phase'], number])[] = []
  const about = { import_id: 'import', filename: 'plan.csv', total }
  const progress = new Progress(({ phase, done }) => told.push([phase, done]), about)
  return { told, progress }
}

test('a short import is told of at its beginning and at its end', () => {
  const { told, progress } = started(3)
  for (let record = 0; record < 3; record++) progress.step()
  progress.begin('writing')
  for (let record = 0; record < 3; record++) progress.step()
  progress.end()
  expect(told).toEqual([
    ['reading', 0],
    ['writing', 3],
  ])
})

test('records that are skipped, and entries of the log, leave the end as it is', () => {
  const skipping = started(3)
  skipping.progress.begin('writing')
  skipping.progress.step()
  skipping.progress.end()
  expect(skipping.told.at(-1)).toEqual(['writing', 3])
  const withLog = started(3)
  withLog.progress.begin('writing')
  for (let entry = 0; entry < 5; entry++) withLog.progress.step()
  expect(withLog.told.slice(1)).toEqual([['writing', 3]])
})

test('a dry run writes nothing, and ends when everything is read', () => {
  const { told, progress } = started(2)
  progress.end()
  expect(told.at(-1)).toEqual(['reading', 2])
})

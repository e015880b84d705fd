import { expect, test } from 'vitest'
import type { ImportProgress } from '../../kernel/context.ts'
import { Progress } from './progress.ts'

const started = (total: number) => {
  const reports: (readonly [ImportProgress['phase'], number])[] = []
  const about = { import_id: 'import', filename: 'plan.csv', total }
  const progress = new Progress(({ phase, done }) => reports.push([phase, done]), about)
  return { reports, progress }
}

test('a short import is told of at its beginning and at its end', () => {
  const { reports, progress } = started(3)
  for (let record = 0; record < 3; record++) progress.step()
  progress.begin('writing')
  for (let record = 0; record < 3; record++) progress.step()
  progress.end()
  expect(reports).toEqual([
    ['reading', 0],
    ['writing', 3],
  ])
})

test('records that are skipped, and entries of the log, leave the end as it is', () => {
  const skipping = started(3)
  skipping.progress.begin('writing')
  skipping.progress.step()
  skipping.progress.end()
  expect(skipping.reports.at(-1)).toEqual(['writing', 3])
  const withLog = started(3)
  withLog.progress.begin('writing')
  for (let entry = 0; entry < 5; entry++) withLog.progress.step()
  expect(withLog.reports.slice(1)).toEqual([['writing', 3]])
})

test('a dry run writes nothing, and ends when everything is read', () => {
  const { reports, progress } = started(2)
  progress.end()
  expect(reports.at(-1)).toEqual(['reading', 2])
})

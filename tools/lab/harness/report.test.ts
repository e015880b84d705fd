import { expect, test } from 'vitest'
import { Report, shown } from './report.ts'

test.each([
  [0.12345, '0.123'],
  [2.3456, '2.35'],
  [45.67, '45.7'],
  [1234.5, '1,235'],
  [20, '20'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  ['≤ 20 %', '≤ 20 %'],
])('%s is shown as %s', (cell, text) => {
  expect(shown(cell)).toBe(text)
})

const printing = () => {
  const lines: string[] = []
  return { lines, report: new Report(line => lines.push(line)) }
}

test('a figure has its units behind its values, and is kept', () => {
  const { lines, report } = printing()
  report.figure('list_cards', { 'p50 ms': 1.5, calls: 60, goal: '≤ 2 ms' })
  expect(lines[0]).toMatch(/^list_cards +p50 1.50 ms +calls 60 +goal ≤ 2 ms$/)
  expect(report.figures).toEqual([{ name: 'list_cards', 'p50 ms': 1.5, calls: 60, goal: '≤ 2 ms' }])
})

test('a table has its columns as names of the values', () => {
  const { lines, report } = printing()
  const row = report.table('', 'a second', 'ratio')
  row('get one', 12_345.6, '40 %')
  expect(lines.map(line => line.trim().split(/ {2,}/))).toEqual([
    ['a second', 'ratio'],
    ['get one', '12,346', '40 %'],
  ])
  expect(report.figures).toEqual([{ name: 'get one', 'a second': 12_345.6, ratio: '40 %' }])
})

test('times, a run and what does not hold', () => {
  const { lines, report } = printing()
  report.times('calls', [3, 1, 2])
  report.run('pnpm crash', 3, ['lost 0', 'half 0'])
  report.expect(true, 'fine')
  report.expect(false, 'lost')
  expect(report.figures[0]).toEqual({ name: 'calls', 'p50 ms': 2, 'p95 ms': 3, 'p99 ms': 3, 'longest ms': 3 })
  expect(lines.at(-1)).toMatch(/\| `pnpm crash 3` \| 3 \| lost 0; half 0 \|$/)
  expect(report.broken).toEqual(['lost'])
})

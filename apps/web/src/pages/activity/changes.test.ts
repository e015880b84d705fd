import { expect, test } from 'vitest'
import { changesOf } from './changes.ts'

test('a change tells its field and both values', () => {
  expect(changesOf({ details: null, changes: [{ field: 'due_date', old: null, new: '2026-01-01' }] })).toEqual([
    'due date: nothing → 2026-01-01',
  ])
})

test('a long value is cut, a list is told as data', () => {
  const [said] = changesOf({ details: null, changes: [{ field: 'labels', old: ['a'], new: 'x'.repeat(100) }] })
  expect(said).toBe(`labels: ["a"] → ${'x'.repeat(60)}…`)
})

test('an event without changes tells none', () => {
  expect(changesOf({ changes: null, details: null })).toEqual([])
})

test('a move tells its statuses; a move within a column none', () => {
  const moved = (from_status: string, to_status: string) =>
    changesOf({ changes: null, details: { from_status, to_status } })
  expect(moved('not_started', 'done')).toEqual(['status: not started → done'])
  expect(moved('done', 'done')).toEqual([])
})

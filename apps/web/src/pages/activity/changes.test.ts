import { expect, test } from 'vitest'
import { changesOf } from './changes.ts'

test('a change tells its field and both values', () => {
  expect(changesOf({ details: null, changes: [{ field: 'due_date', old: null, new: '2026-01-01' }] })).toEqual([
    'due date: nothing → 2026-01-01',
  ])
})

test.each([
  ['a long value is cut', 'title', 'a', 'x'.repeat(100), `a → ${'x'.repeat(60)}…`],
  ['short words of a list are told', 'labels', [], ['a', 'b'], 'nothing → a, b'],
  [
    'of other lists the length is told',
    'rules',
    [{ id: 'br1' }],
    ['x'.repeat(40), 'y'.repeat(40)],
    '1 entry → 2 entries',
  ],
])('%s', (_, field, old, now, expected) => {
  expect(changesOf({ details: null, changes: [{ field, old, new: now }] })).toEqual([`${field}: ${expected}`])
})

test('an event without changes tells none', () => {
  expect(changesOf({ changes: null, details: null })).toEqual([])
})

test('a move tells its statuses; a move within a column none', () => {
  const moved = (from_status: string, to_status: string) =>
    changesOf({ changes: null, details: { from_status, to_status } })
  expect(moved('not_started', 'done')).toEqual(['status: Not started → Done'])
  expect(moved('done', 'done')).toEqual([])
})

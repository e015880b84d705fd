import { expect, test } from 'vitest'
import { changesOf } from './changes.ts'

test('a change tells its field and both values', () => {
  expect(changesOf({ changes: [{ field: 'due_date', old: null, new: '2026-01-01' }] })).toEqual([
    'due date: nothing → 2026-01-01',
  ])
})

test('a long value is cut, a list is told as data', () => {
  const [said] = changesOf({ changes: [{ field: 'labels', old: ['a'], new: 'x'.repeat(100) }] })
  expect(said).toBe(`labels: ["a"] → ${'x'.repeat(60)}…`)
})

test('an event without changes tells none', () => {
  expect(changesOf({ changes: null })).toEqual([])
})

import { expect, test } from 'vitest'
import { byState, stateOf, workingSince } from './rules.ts'

const now = '2026-11-27T12:00:00.000Z'

test.each([
  [true, null, 'waiting'],
  [true, now, 'waiting'],
  [false, '2026-11-27T11:55:00.001Z', 'working'],
  [false, '2026-11-27T11:55:00.000Z', 'quiet'],
  [false, null, 'quiet'],
] as const)('waits: %s, last seen %s: %s (harness 6)', (waits, lastSeenAt, state) => {
  expect(stateOf({ waits, lastSeenAt, now })).toBe(state)
})

test('who was seen since then works', () => {
  expect(workingSince(now)).toBe('2026-11-27T11:55:00.000Z')
})

test('by state, then who was seen last, then by id', () => {
  const worker = (id: string, state: 'working' | 'quiet' | 'waiting' | 'ended', last_seen_at: string | null) => ({
    id,
    state,
    last_seen_at,
  })
  const sorted = [
    worker('f', 'ended', now),
    worker('e', 'waiting', now),
    worker('d', 'quiet', null),
    worker('c', 'quiet', '2026-11-27T11:00:00.000Z'),
    worker('b', 'working', now),
    worker('a', 'working', now),
  ].sort(byState)
  expect(sorted.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

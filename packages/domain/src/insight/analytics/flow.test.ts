import { expect, test } from 'vitest'
import { type Move, statusesAt, statusPeriodsOf } from './flow.ts'

const card = { id: 'c', status: 'done', came_at: '2026-03-02T08:00:00.000Z' } as const
const moves: Move[] = [
  { card_id: 'c', at: '2026-03-03T09:00:00.000Z', from_status: 'not_started', to_status: 'started' },
  { card_id: 'c', at: '2026-03-05T09:00:00.000Z', from_status: 'started', to_status: 'done' },
]

test.each([
  ['before it came', '2026-03-01T23:59:59.999Z', undefined],
  ['before it moved', '2026-03-02T23:59:59.999Z', 'not_started'],
  ['between its moves', '2026-03-04T23:59:59.999Z', 'started'],
  ['at the moment of a move', '2026-03-05T09:00:00.000Z', 'done'],
])('the status of a card %s', (_, time, status) => {
  const [counts] = statusesAt([time], [], [card], moves)
  expect(Object.entries(counts!).filter(([, count]) => count > 0)).toEqual(status === undefined ? [] : [[status, 1]])
})

test('a card without moves has had its status since it came, and moves before that count for nothing', () => {
  expect(statusPeriodsOf(card, [])).toEqual([{ since: card.came_at, status: 'done' }])
  const late = { ...card, came_at: '2026-03-04T08:00:00.000Z' }
  expect(statusPeriodsOf(late, moves).map(({ since }) => since)).toEqual([late.came_at, late.came_at, moves[1]!.at])
})

test('every card counts once at each time, whatever the order of its moves', () => {
  const times = ['2026-03-01T23:59:59.999Z', '2026-03-03T23:59:59.999Z', '2026-03-06T23:59:59.999Z']
  const still = [
    { status: 'on_hold', day: '', cards: 2 },
    { status: 'not_started', day: '2026-03-03', cards: 1 },
  ] as const
  const counts = statusesAt(times, still, [card], moves.toReversed())
  expect(counts.map(each => Object.values(each).reduce((sum, count) => sum + count, 0))).toEqual([2, 4, 4])
  expect(counts[1]).toMatchObject({ on_hold: 2, not_started: 1, started: 1, done: 0 })
  expect(counts[2]).toMatchObject({ on_hold: 2, not_started: 1, started: 0, done: 1 })
})

import { expect, test } from 'vitest'
import type { CardSummary } from '../../data/cards.ts'
import { lanesOf, withUnchanged } from './lanes.ts'

const cards = [
  { id: 'a', status: 'started', position: 1, spec_id: null },
  { id: 'b', status: 'started', position: 0, spec_id: 's1' },
  { id: 'c', status: 'done', position: 0, spec_id: 's1' },
  { id: 'd', status: 'started', position: 0, spec_id: null },
] as CardSummary[]

const summary = (kind: Parameters<typeof lanesOf>[1]) =>
  lanesOf(cards, kind).map(({ id, count, columns }) => [
    id,
    count,
    [...columns].map(([status, column]) => `${status}: ${column.map(card => card.id).join(' ')}`),
  ])

test('without lanes all cards stand in one, each column in the order of its positions', () => {
  expect(summary('none')).toEqual([[null, 4, ['started: b d a', 'done: c']]])
})

test('cards without the thing that lanes stand for come last', () => {
  expect(summary('spec')).toEqual([
    ['s1', 2, ['started: b', 'done: c']],
    [null, 2, ['started: d a']],
  ])
})

test('a column with the same cards stays the same, so that it is not drawn again', () => {
  const before = lanesOf(cards, 'none')
  const filtered = withUnchanged(before, lanesOf(cards.slice(1), 'none'))
  expect(filtered[0]?.columns.get('done')).toBe(before[0]?.columns.get('done'))
  expect(filtered[0]?.columns.get('started')?.map(({ id }) => id)).toEqual(['b', 'd'])
  expect(withUnchanged(before, lanesOf([...cards], 'none'))[0]).toBe(before[0])
})

import { expect, test } from 'vitest'
import { copiedMockups } from '../mockups.ts'
import { chosen } from './filters.ts'

const items = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]

test.each([
  [null, ['a', 'b', 'c']],
  [[], []],
  [
    ['c', 'a', 'c'],
    ['a', 'c'],
  ],
])('the filter %j selects %j, in the order of the source', (ids, expected) => {
  expect(chosen('kb_ids', items, ids).map(item => item.id)).toEqual(expected)
})

test('unknown ids are refused and listed', () => {
  expect(() => chosen('kb_ids', items, ['x', 'a', 'y', 'x'])).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', extra: { field: 'kb_ids', details: ['x', 'y'] } }),
  )
})

test('copies of mockups have new ids and the ids of their sources', () => {
  const ids = ['0-11111111', '0-11111111', '0-22222222'].values()
  const mockup = { title: 'A', description: null, screen_type: 'page', html_content: '', annotations: null, order: 0 }
  const copies = copiedMockups(
    [
      { ...mockup, id: 'one', origin_id: 'older' },
      { ...mockup, id: 'two', origin_id: null },
    ],
    [{ ...mockup, id: 'sm_00000000', origin_id: null }],
    () => ids.next().value!,
  )
  expect(copies.map(({ id, origin_id }) => [id, origin_id])).toEqual([
    ['sm_11111111', 'one'],
    ['sm_22222222', 'two'],
  ])
})

import { expect, test } from 'vitest'
import { nextSort, readTableOptions, withColumns, withGroup, withSort } from './address.ts'

const all = ['ref', 'title', 'due', 'age']
const usual = { group: 'status', columns: ['ref', 'title', 'due'] }

const read = (query: URLSearchParams | string) =>
  readTableOptions(new URLSearchParams(query), all, ['status', 'assignee'], usual)

test('an address that says nothing has the usual look', () => {
  expect(read('')).toEqual({ sort: undefined, ...usual })
})

test.each(['sort=nothing', 'group=nothing', 'sort=-', 'lanes=spec'])('%s says nothing', query => {
  expect(read(query)).toEqual(read(''))
})

test('what is chosen is read as it was written', () => {
  let query = withSort(new URLSearchParams('q=mail'), { column: 'age', isDescending: true })
  query = withColumns(withGroup(query, 'assignee', usual), ['age', 'ref'], usual)
  expect(query.toString()).toBe('q=mail&sort=-age&group=assignee&cols=age%2Cref')
  expect(read(query)).toEqual({
    sort: { column: 'age', isDescending: true },
    group: 'assignee',
    columns: ['ref', 'age'],
  })
})

test('what is usual is not in the address, and no group is', () => {
  const query = withColumns(
    withGroup(withSort(new URLSearchParams(), undefined), 'status', usual),
    usual.columns,
    usual,
  )
  expect(query.toString()).toBe('')
  expect(withGroup(query, undefined, usual).toString()).toBe('group=none')
  expect(read('group=none').group).toBe(undefined)
})

test('presses on a head sort upwards, downwards, and no more', () => {
  const up = nextSort({ column: 'ref', isDescending: true }, 'due')
  expect(up).toEqual({ column: 'due', isDescending: false })
  expect(nextSort(up, 'due')).toEqual({ column: 'due', isDescending: true })
  expect(nextSort({ column: 'due', isDescending: true }, 'due')).toBe(undefined)
})

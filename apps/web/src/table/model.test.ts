import { expect, test } from 'vitest'
import { type Grouping, grouped, linesOf, sorted, type TableColumn } from './model.ts'

interface Card {
  readonly id: string
  readonly title: string
  readonly due: number | null
  readonly status: string | null
}

const column = (id: string, sortBy?: TableColumn<Card>['sortBy']): TableColumn<Card> => ({
  id,
  label: id,
  heading: id,
  cell: () => null,
  text: () => '',
  ...(sortBy && { sortBy }),
})

const columns = [column('title', ({ title }) => title), column('due', ({ due }) => due), column('plain')]

const cards: readonly Card[] = [
  { id: 'a', title: 'SHP-10', due: null, status: 'done' },
  { id: 'b', title: 'SHP-9', due: 3, status: null },
  { id: 'c', title: 'shp-9', due: 1, status: 'other' },
  { id: 'd', title: 'SHP-100', due: 3, status: 'open' },
]

const ids = (rows: readonly Card[]) => rows.map(({ id }) => id).join('')

test.each([
  ['title', false, 'bcad'],
  ['title', true, 'dabc'],
  // Rows without a date come last in either direction; equal rows keep their order.
  ['due', false, 'cbda'],
  ['due', true, 'bdca'],
  ['plain', false, 'abcd'],
  ['unknown', false, 'abcd'],
])('rows are sorted by %s, descending: %s', (name, isDescending, order) => {
  expect(ids(sorted(cards, columns, { column: name, isDescending }))).toBe(order)
})

test('rows without a sort stay the same list', () => {
  expect(sorted(cards, columns, undefined)).toBe(cards)
})

const grouping: Grouping<Card> = {
  id: 'status',
  label: 'Status',
  keyOf: ({ status }) => status,
  title: key => key ?? 'none',
  order: ['open', 'done'],
}

test('groups come in their order, others by their titles, those without one last', () => {
  expect(grouped(cards, grouping).map(({ key, rows }) => [key, ids(rows)])).toEqual([
    ['open', 'd'],
    ['done', 'a'],
    ['other', 'c'],
    [null, 'b'],
  ])
  expect(grouped(cards, undefined)).toEqual([{ key: null, rows: cards }])
})

test('a folded group shows its head alone', () => {
  const lines = linesOf(grouped(cards, grouping), true, new Set(['done', '']))
  expect(lines.map(line => (line.kind === 'row' ? line.row.id : `[${line.group.key}]`)).join('')).toBe(
    '[open]d[done][other]c[null]',
  )
  expect(linesOf(grouped(cards, undefined), false, new Set([''])).length).toBe(cards.length)
})

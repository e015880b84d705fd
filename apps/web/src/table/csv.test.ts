import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'
import type { TableColumn } from './model.ts'

interface Row {
  readonly id: string
  readonly title: string
}

const columns: readonly TableColumn<Row>[] = [
  { id: 'ref', label: 'Referenz', heading: 'Ref', cell: () => null, text: ({ id }) => id },
  { id: 'title', label: 'Titel', heading: 'Title', cell: () => null, text: ({ title }) => title },
]

test('what is said has its quotes, and nothing is a formula', () => {
  const titles = ['plain', 'with, comma', 'a "word"', 'two\nlines', '=HYPERLINK("x")', '-1', 'مرحبا']
  expect(
    csvOf(
      columns,
      titles.map((title, index) => ({ id: `SHP-${index}`, title })),
    ),
  ).toBe(
    [
      '\uFEFFRef,Title',
      'SHP-0,plain',
      'SHP-1,"with, comma"',
      'SHP-2,"a ""word"""',
      'SHP-3,"two\nlines"',
      `SHP-4,"'=HYPERLINK(""x"")"`,
      "SHP-5,'-1",
      'SHP-6,مرحبا',
      '',
    ].join('\r\n'),
  )
})

import { expect, test } from 'vitest'
import { entityRows, funnelSection } from '../insight/analytics/exports.ts'
import { csvRow, csvSection } from './csv.ts'

test.each<[string, unknown, string]>([
  ['null', null, ''],
  ['a number', -1.5, '-1.5'],
  ['a boolean', false, 'false'],
  ['a plain text', 'a b', 'a b'],
  ['a comma', 'a,b', '"a,b"'],
  ['a quote', 'a"b', '"a""b"'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['an object', { a: 1 }, '"{""a"":1}"'],
  ['a list', ['a'], '"[""a""]"'],
  ...['=1+1', '+1', '-1', '@sum', '\tx', '＝1', '＋1', '－1', '＠x', '  =1'].map(
    text => [`a formula ${text}`, text, `'${text}`] as [string, unknown, string],
  ),
  ['a carriage return', '\rx', '"\'\rx"'],
  ['a formula behind a line break', '\n=x', '"\'\n=x"'],
])('writes %s', (_, value, cell) => {
  expect(csvRow([value, 'x'])).toBe(`${cell},x\r\n`)
})

test('a section is a header and rows, each ending in a line break', () => {
  expect(csvSection(['A', 'B'], [[1, null]])).toBe('A,B\r\n1,\r\n')
})

test('a funnel object becomes one row per key', () => {
  expect(funnelSection({ cards: 3, by: { a: 1, b: null } })).toBe(
    'Funnel Stage,Count\r\ncards,3\r\nby.a,1\r\nby.b,\r\n',
  )
})

test('an entity becomes one row per field, and a list of records a table with the union of their keys', () => {
  const rows = entityRows({
    title: '=x',
    sizes: { a: 1 },
    items: [{ a: 1 }, { b: 'y', a: null }],
    none: [],
    texts: ['t'],
  })
  expect(rows.split('\r\n')).toStrictEqual([
    'Field,Value',
    "title,'=x",
    'sizes,"{""a"":1}"',
    '',
    'items,a,b',
    ',1,',
    ',,y',
    '',
    'none,[]',
    '',
    'texts,"[""t""]"',
    '',
  ])
})

/** Every row is accounted for, and the order of rows changes no record (imports 1, 3). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bareFile, ofType, readingOf } from '../reading.testing.ts'

const cell = fc.constantFrom('', 'A', 'B, C', 'a;b', '"quoted"', 'two\nlines', '3/4/2026', '20/Mar/26', '1', '2', '#1')

const row = fc.record({
  id: fc.constantFrom('', '1', '2', '3', 'X-1'),
  title: fc.constantFrom('Paint', 'Dry', 'Buy, and carry', 'Hang'),
  status: fc.constantFrom('', 'To Do', 'Done', 'Somewhere'),
  parent: fc.constantFrom('', '1', '9', 'Paint'),
  'blocked by': fc.constantFrom('', '2', 'Dry, Hang', '7'),
  due: fc.constantFrom('', '3/4/2026', '20/3/2026', 'soon'),
  comment: cell,
  other: cell,
})

type Row = Record<string, string>

const columns = ['id', 'title', 'status', 'parent', 'blocked by', 'due', 'comment', 'other']

/** Of rows with the same id and title the later one is read, so for those the order matters. */
const keyOf = (cells: Row): string => (cells.id === '' ? lineOf(cells) : `${cells.id} ${cells.title}`)

const quoted = (text: string): string => (/[",\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const lineOf = (cells: Row): string => columns.map(column => quoted(cells[column] ?? '')).join(',')

const tableOf = (lines: readonly string[]) => readingOf(bareFile([columns.join(','), ...lines].join('\n')), {}, 'csv')

test('rows are cards, specs, skipped with a reason, or told as not read', () =>
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.array(fc.constantFrom('', ',,,', '4,"open'), { maxLength: 3 }),
      (rows, noise) => {
        const lines = rows.map(lineOf)
        const { records, problems } = tableOf([...lines, ...noise])
        // A spec made from a row has the id of the row; other specs are identified by the name that rows use for them.
        const places = new Set(
          records.filter(({ type }) => type === 'card' || type === 'spec').map(({ place }) => place.line),
        )
        const skipped = problems.filter(({ severity, kind }) => severity === 'skipped' && kind === 'card')
        const notRead = problems.filter(({ severity }) => severity === 'not_read')
        const accounted = new Set([...places, ...skipped.map(({ line }) => line), ...notRead.map(({ line }) => line)])
        let line = 2
        const starts = lines.map(text => {
          const start = line
          line += text.split('\n').length
          return start
        })
        for (const start of starts) expect(accounted).toContain(start)
        expect(notRead).toHaveLength(noise.filter(text => text.includes('open')).length)
      },
    ),
    { numRuns: 60 },
  ))

test('the order of rows changes neither ids nor what belongs to them', () =>
  fc.assert(
    fc.property(
      fc
        .uniqueArray(row, { minLength: 1, maxLength: 10, selector: keyOf })
        .chain(rows => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
      ([rows, shuffled]) => {
        const recordsIn = (table: readonly Row[]) =>
          ofType('card', tableOf(table.map(lineOf)))
            .map(({ id, title, spec_id }) => `${id} ${title} ${spec_id}`)
            .toSorted()
        expect(recordsIn(shuffled)).toEqual(recordsIn(rows))
      },
    ),
    { numRuns: 60 },
  ))

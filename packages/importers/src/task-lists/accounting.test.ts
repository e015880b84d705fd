/** Every box is accounted for, and the order of lines changes no record (imports 1, 3). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folder, ofType, readingOf } from '../reading.testing.ts'

const box = fc
  .record({
    indent: fc.constantFrom('', '  ', '    '),
    box: fc.oneof(
      fc
        .tuple(
          fc.constantFrom('- ', '* ', '+ ', '1. ', '2) ', '> - ', '-'),
          fc.constantFrom(' ', 'x', 'X', '~', '-', ''),
        )
        .map(([marker, mark]) => `${marker}[${mark}]`),
      fc.constantFrom('☐', '☑', '- ☐', '* ☒'),
    ),
    id: fc.constantFrom('', 'T001 ', '**T002** ', '[T003] ', '`T004` ', 'T005: ', '1.1 '),
    marks: fc.constantFrom('', '[P] ', '[US1] ', '[P] [US2] '),
    text: fc.constantFrom('Paint', 'Dry (depends on T001)', 'Hang: the gate, [left]', ''),
  })
  .map(({ indent, box, id, marks, text }) => `${indent}${box} ${id}${marks}${text}`)

const noise = fc.constantFrom(
  '',
  'Some text.',
  '  indented',
  '## Phase 1: Setup',
  '### Tests',
  '| a | b |',
  '- an item',
  '---',
)

const tasksOf = (lines: readonly string[]) =>
  readingOf(folder({ 'specs/001-a/spec.md': '# A', 'specs/001-a/tasks.md': lines.join('\n') }), {}, 'spec-kit')

test('boxes are cards, or told', () =>
  fc.assert(
    fc.property(fc.array(fc.oneof(box, noise), { maxLength: 25 }), lines => {
      const reading = tasksOf(lines)
      const empty = reading.problems.filter(({ severity }) => severity === 'not_read')
      // Counted without the reader: a list marker and a box, or the sign of one.
      const boxes = lines.filter(line => /^ *(?:> )?(?:[-*+]|\d[.)]) ?\[.?\]|[☐☑☒]/.test(line))
      expect(ofType('card', reading).length + empty.length).toBe(boxes.length)
    }),
    { numRuns: 100 },
  ))

test('the order of lines changes no id', () =>
  fc.assert(
    fc.property(
      fc
        .uniqueArray(
          box.map(line => line.trim()),
          { maxLength: 12, selector: line => line.slice(line.search(/[\]☐☑☒]/)) },
        )
        .chain(lines => fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length }))),
      ([lines, shuffled]) => {
        const recordsIn = (list: readonly string[]) =>
          ofType('card', tasksOf(list))
            .map(({ id, title }) => `${id} ${title}`)
            .toSorted()
        expect(recordsIn(shuffled)).toEqual(recordsIn(lines))
      },
    ),
    { numRuns: 60 },
  ))

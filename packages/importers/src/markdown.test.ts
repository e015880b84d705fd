import { describe, expect, test } from 'vitest'
import { frontMatter, linesOf, listItems, sectionsOf, takeItems, textOf, withHeading } from './markdown.ts'
import { Unreadable } from './neutral.ts'

const lines = (...texts: readonly string[]) => ({ lines: texts, line: 1 })

describe('front matter', () => {
  const of = (text: string) => frontMatter({ name: 'a.md', text })

  test('is what stands between two lines at the beginning', () => {
    const { front, body } = of('\uFEFF---\r\nid: 1.10\r\nnames: [a, @b]\r\nwhen: 2026-03-20\r\n---\r\ntext')
    expect(front!.values).toEqual({ id: '1.10', names: ['a', '@b'], when: '2026-03-20' })
    expect(front!.lineOf('names')).toBe(3)
    expect(body).toEqual({ lines: ['text'], line: 6 })
  })

  test.each(['', 'text', 'text\n---\na: 1\n---', '---\na: 1', '---\njust text\n---'])('there is none in %j', text =>
    expect(of(text).front).toBeUndefined(),
  )

  test.each([
    ['an alias', '---\na: &x 1\nb: *x\n---', 3],
    ['no YAML', '---\na: 1\nb: [\n---', 3],
    ['a name twice', '---\na: 1\na: 2\n---', 3],
  ])('%s is refused with its line', (_, text, line) =>
    expect(() => of(text)).toThrow(expect.objectContaining({ name: Unreadable.name, entry: 'a.md', line })),
  )
})

describe('sections', () => {
  test('begin at headings, with what is before them first', () => {
    const sections = sectionsOf(lines('before', '', '# One', '', 'a', '### deep', '## Two ##', 'b'), 2)
    expect(sections.map(({ heading, level, line }) => [heading, level, line])).toEqual([
      [null, 0, 1],
      ['One', 1, 4],
      ['Two', 2, 8],
    ])
    expect(sections.map(textOf)).toEqual(['before', 'a\n### deep', 'b'])
    expect(withHeading(sections[1]!)).toBe('# One\n\na\n### deep')
  })

  test.each([
    ['a fence', ['```', '# no', '```', '# yes']],
    ['a fence of tildes', ['~~~md', '# no', '```', '# no', '~~~', '# yes']],
    ['a longer fence', ['````', '```', '# no', '````', '# yes']],
  ])('%s holds no heading', (_, texts) =>
    expect(sectionsOf(lines(...texts), 2).flatMap(({ heading }) => heading ?? [])).toEqual(['yes']),
  )

  test('a fence that nothing closes is text', () =>
    expect(sectionsOf(lines('```', '# yes'), 2).map(({ heading }) => heading)).toEqual([null, 'yes']))

  test('a heading without text gives no section text', () =>
    expect(withHeading(sectionsOf(lines('# One', ''), 2)[0]!)).toBe(''))
})

test('list items have a box or none, and what is indented below them', () => {
  const { items, prose } = listItems(lines('- [x] a', '  more', '* [ ] b', '1. c', '   - d', 'prose'))
  expect(items).toEqual([
    { text: 'a\nmore', checked: true, line: 1 },
    { text: 'b', checked: false, line: 3 },
    { text: 'c\n- d', checked: null, line: 4 },
  ])
  expect(prose).toEqual(['prose'])
})

test('taken items leave the other lines', () => {
  const [section] = sectionsOf(lines('# A', 'x', '- T1 a', '  below', '', '- other', '- T2 b'), 1)
  const { items, rest } = takeItems(section!, line => /^- T\d/.test(line))
  expect(items).toEqual(['- T1 a\nbelow', '- T2 b'])
  expect(rest.lines).toEqual(['x', '', '- other'])
})

test('lines end in any of the three ways', () => expect(linesOf('\uFEFFa\r\nb\nc\rd')).toEqual(['a', 'b', 'c', 'd']))

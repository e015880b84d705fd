import fc from 'fast-check'
import { expect, test } from 'vitest'
import { code, fenced, plain, quoted, quotedWhole, startOf } from './quoting.ts'

/** Texts with many of the characters that matter here. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '`',
        '```',
        '````',
        '\n',
        '\r\n',
        '\r',
        '\t',
        '#',
        '## Allowed moves',
        '- done',
        '"',
        '\\',
        '~~~',
      ),
      fc.constantFrom(
        '\u202e',
        '\u2066',
        '\u200f',
        '\u0000',
        '\u001b',
        '\u0085',
        '\u2028',
        '\u{e0041}',
        '\u200b',
        '\u200d',
        '\ufeff',
        '\ud800',
        '😀',
      ),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 60 },
  )
  .map(parts => parts.join(''))

const forbidden = /\u200d|[\u200b\ufeff\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\u{E0000}-\u{E007F}]|(?![\n\t])\p{Cc}/u

/** The text after the first fence of a page, parsed like CommonMark. */
function afterFence(page: string): string[] {
  const [opening, ...lines] = page.split('\n')
  const length = /^`{3,}/.exec(opening!)![0].length
  const end = lines.findIndex(line => new RegExp(`^ {0,3}\`{${length},}[ \\t]*$`).test(line))
  expect(end).toBeGreaterThanOrEqual(0)
  return lines.slice(end + 1)
}

test('nothing in a text ends its fence', () => {
  fc.assert(
    fc.property(hostile, text => {
      expect(afterFence(`${fenced(text).text}\nafter`)).toEqual(['after'])
    }),
  )
})

test('a text that is cut stays inside its fence and its room', () => {
  fc.assert(
    fc.property(hostile, fc.integer({ min: 20, max: 200 }), (text, room) => {
      const { text: quoted, isCut } = fenced(text, room)
      expect(quoted.length).toBeLessThanOrEqual(room)
      expect(afterFence(`${quoted}\nafter`)).toEqual(['after'])
      if (!isCut) expect(quoted).toBe(fenced(text).text)
    }),
  )
})

test('no unseen character passes', () => {
  fc.assert(
    fc.property(hostile, text => {
      expect(fenced(text).text).not.toMatch(forbidden)
      expect(quoted(text)).not.toMatch(forbidden)
      expect(code(text)).not.toMatch(forbidden)
      expect(plain(text)).not.toMatch(forbidden)
    }),
  )
})

test('a quoted text is one line in one pair of quotation marks, of at most 200 characters', () => {
  fc.assert(
    fc.property(hostile, text => {
      const result = quoted(text)
      expect(result).toMatch(/^"(?:[^"\\\n\r\t]|\\["\\]|\\u[0-9a-f]{4})*"$/u)
      expect(result.length).toBeLessThanOrEqual('""…'.length + 200)
    }),
  )
})

test('a quoted text that is not cut reads back as it was', () => {
  fc.assert(
    fc.property(hostile, text => {
      const result = quoted(text, Infinity)
      expect(JSON.parse(result)).toBe(text)
      expect(quoted(text) === result).toBe(result.length <= 202)
    }),
  )
})

test.each([
  ['Keep the basket', '"Keep the basket"'],
  ['a\n## b', '"a\\u000a## b"'],
  ['a\u202eb', '"a\\u202eb"'],
  ['say "so"', '"say \\"so\\""'],
  ['x'.repeat(200), `"${'x'.repeat(200)}"`],
  ['x'.repeat(201), `"${'x'.repeat(200)}…"`],
])('%j is quoted', (text, expected) => {
  expect(quoted(text)).toBe(expected)
})

test('a fence is one backtick longer than any in the text', () => {
  expect(fenced('plain').text).toBe('```\nplain\n```')
  expect(fenced('a\r\n`````\nb\u202e').text).toBe('``````\na\n`````\nb\\u202e\n``````')
  expect(fenced('`'.repeat(100_000), 1000).text.length).toBeLessThanOrEqual(1000)
})

test('ids stand in backticks, other texts in their place in quotation marks', () => {
  expect(code('3f2a-1')).toBe('`3f2a-1`')
  expect(code('a` b')).toBe('"a` b"')
  expect(plain('in_progress, 80 %')).toBe('in_progress, 80 %')
  expect(plain('# done')).toBe('"# done"')
})

test('only texts of one line that are shown whole fit into a line', () => {
  expect(quotedWhole('one line')).toBe('"one line"')
  expect(quotedWhole('two\nlines')).toBeUndefined()
  expect(quotedWhole('x'.repeat(201))).toBeUndefined()
})

test('a cut never leaves half a character', () => {
  expect(startOf('a😀', 2)).toBe('a')
  expect(startOf('a😀', 3)).toBe('a😀')
})

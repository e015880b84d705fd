import { describe, expect, test } from 'vitest'
import { tokenize, unsafeWord } from './tokens.ts'

describe('writing keywords', () => {
  test.each([
    'CREATE (n)',
    'match (n) set n.title = 1',
    'MATCH (n) Detach DELETE n',
    'MATCH (n) /* x */ REMOVE n.title',
    'LOAD CSV',
    'MATCH (n) RETURN n // fine\nMERGE (m)',
    "MATCH (n {title: 'x'}) DROP n",
    'MATCH (n) RETURN `foreach`',
  ])('are found: %s', text => expect(unsafeWord(text)).toBeDefined())

  test.each([
    "MATCH (n) WHERE n.title = 'CREATE' RETURN n",
    'MATCH (n) WHERE n.title = "it\\"s SET" RETURN n',
    'MATCH (n) RETURN n // DELETE',
    'MATCH (n) /* DELETE */ RETURN n',
    'MATCH (n) RETURN n.created_at, n.settings',
    "MATCH (n) WHERE n.title = 'open",
    'MATCH (n) /* open DELETE',
  ])('are ignored in strings, comments and longer words: %s', text => expect(unsafeWord(text)).toBeUndefined())
})

describe('tokens', () => {
  test('have positions', () =>
    expect(
      tokenize('MATCH (n)\n  RETURN n').map(({ text, position }) => [text, position.line, position.column]),
    ).toEqual([
      ['MATCH', 1, 1],
      ['(', 1, 7],
      ['n', 1, 8],
      [')', 1, 9],
      ['RETURN', 2, 3],
      ['n', 2, 10],
      ['', 2, 11],
    ]))

  test.each([
    ["'a\\'b\\n\\u0041'", "a'b\nA"],
    ['"x\'y"', "x'y"],
  ])('resolve the escapes of %s', (text, value) =>
    expect(tokenize(text)[0]).toMatchObject({ kind: 'string', text: value }),
  )

  test('distinguish ranges from fractions', () =>
    expect(tokenize('*1..3 1.5 .5 2e3').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'symbol *',
      'integer 1',
      'symbol ..',
      'integer 3',
      'float 1.5',
      'float .5',
      'float 2e3',
      'end ',
    ]))
})

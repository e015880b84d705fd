import { describe, expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'
import { asksFor, matchOf, tokensOf, wordsOfQuery } from './words.ts'

/** Whether a query of one word finds a text by the tokens that are stored for it. */
const finds = (query: string, text: string): boolean => {
  const matches = [...matchOf(wordsOfQuery(query)).matchAll(/"([^"]+)"( \*)?/g)]
  return tokensOf(text)
    .split(' ')
    .some(token => matches.some(([, word, begins]) => (begins ? token.startsWith(word!) : token === word)))
}

describe('a word finds', () => {
  test.each([
    ['cache', 'caching'],
    ['cache', 'caches'],
    ['caching', 'cached'],
    ['planning', 'plan'],
    ['plans', 'planned'],
    ['file', 'files'],
    ['files', 'file'],
    ['study', 'studied'],
    ['query', 'queries'],
    ['processes', 'process'],
    ['data', 'databases'],
    ['ＣＡＣＨＥ', 'cache'],
  ])('%s: %s', (query, text) => {
    expect(finds(query, text)).toBe(true)
    expect(wordsOfQuery(query).some(word => asksFor([word])(text))).toBe(true)
  })

  test.each([
    ['caching', 'cat'],
    ['note', 'not'],
    ['base', 'database'],
  ])('%s, but not %s', (query, text) => {
    expect(finds(query, text)).toBe(false)
    expect(asksFor(wordsOfQuery(query))(text)).toBe(false)
  })
})

test.each([
  ['the cached cache', ['cached']],
  ['of the', ['of', 'the']],
  ['The Basket', ['basket']],
  ['"*', []],
])('the words of %j that must be found', (query, words) => expect(wordsOfQuery(query)).toEqual(words))

test('no more than 16 words of a query count, and no more than 64 characters of a word', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].map(letter => letter.repeat(100))
  expect(wordsOfQuery(letters.join(' '))).toEqual(letters.slice(0, 16).map(word => word.slice(0, 64)))
})

describe('an excerpt', () => {
  test.each([
    ['of a short text is all of it', 'Keep  the\nbasket', ['basket'], 'Keep the basket'],
    ['of a long one begins with it where nothing is found', 'ab '.repeat(100), ['zeppelin'], `${'ab '.repeat(66)}a…`],
    ['never splits a character in two', '🎉'.repeat(300), [], `${'🎉'.repeat(199)}…`],
  ])('%s', (_, text, words, expected) => expect(excerptOf(text, words)).toBe(expected))

  test('shows the word that was found, with dots on both sides', () => {
    const excerpt = excerptOf(`${'ab '.repeat(100)}zeppelins ${'cd '.repeat(100)}`, ['zeppelin'])
    expect(excerpt).toMatch(/^…(ab ){19}zeppelins (cd )*c?d?…$/)
    expect([...excerpt].length).toBeLessThanOrEqual(200)
  })
})

import { describe, expect, test } from 'vitest'
import { terms } from './terms.ts'

describe('terms', () => {
  test.each([
    ['queries', ['query']],
    ['dies', ['die']],
    ['caching', ['cach']],
    ['using', ['using']],
    ['cached', ['cach']],
    ['used', ['used']],
    ['caches', ['cach']],
    ['does', ['doe']],
    ['redis', ['redi']],
    ['class', ['class']],
    ['bus', ['bus']],
  ])('strips the first suffix that matches: %s', (word, expected) => expect(terms(word)).toEqual(expected))

  test('splits at anything but letters and digits, and drops single characters and stop words', () =>
    expect(terms('The e-mail of a User, in 2 parts: ids 42 & x')).toEqual(['mail', 'user', 'part', 'ids', '42']))

  test('normalises compatibility forms and letter case', () =>
    expect(terms('ＲＥＳＴ ﬁeld ÉCOLE')).toEqual(['rest', 'field', 'école']))

  test('keeps order and repeats', () => expect(terms('cache cache miss')).toEqual(['cache', 'cache', 'miss']))
})

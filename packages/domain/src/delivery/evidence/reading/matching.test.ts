import { describe, expect, test } from 'vitest'
import { endsOf, matches, readyPattern } from './matching.ts'

const address = 'src/login.test.ts::login::rejects a wrong password'

const names = (pattern: string, tested = address): boolean => {
  const ready = readyPattern(pattern)
  return ready.plain === undefined ? matches(ready, tested) : endsOf(tested).includes(ready.plain)
}

describe('a pattern is compared with the end of an address (evidence 3)', () => {
  test.each([
    'rejects a wrong password',
    'login::rejects a wrong password',
    'login::rejects  a wrong   password ',
    address,
    'login::*',
    'login::rejects*password',
    '**',
    '*',
    'src/**::rejects a * password',
    '*::login::*',
    'src/*.test.ts::**',
    '**wrong**',
  ])('%s names it', pattern => expect(names(pattern)).toBe(true))

  test.each([
    'a wrong password',
    'gin::rejects a wrong password',
    'Rejects a wrong password',
    'login',
    'login::*::password',
    'src/*',
    'src/*::rejects a wrong password',
    'login::rejects * right password',
  ])('%s does not', pattern => expect(names(pattern)).toBe(false))

  test('a star and a backslash may be meant as they are', () => {
    expect([names('a \\* b', 'x::a * b'), names('a \\* b', 'x::a c b'), names('a\\\\b', 'a\\b')]).toEqual([
      true,
      false,
      true,
    ])
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, sha256 } from './canonical-json.ts'

test.each([
  [
    'keys sorted at every depth',
    { b: 1, a: { d: [{ z: 1, y: 2 }], c: null } },
    '{"a":{"c":null,"d":[{"y":2,"z":1}]},"b":1}',
  ],
  ['numeric keys as text', { 10: 'a', 9: 'b' }, '{"10":"a","9":"b"}'],
  ['keys by code point, not by UTF-16 unit', { '😀': 1, '\uffee': 2 }, '{"\uffee":2,"😀":1}'],
  ['non-ASCII characters unescaped', ['é', '日本'], '["é","日本"]'],
  ['numbers as JSON.stringify prints them', [1e21, 1.5, -0, 1e-7], '[1e+21,1.5,0,1e-7]'],
  ['a text with quotes', 'graph "TD"', '"graph \\"TD\\""'],
])('writes %s', (_, value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

test('parses to the same value, whose canonical text is the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const text = canonicalJson(value)
      const read: unknown = JSON.parse(text)
      expect(read).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(read)).toBe(text)
    }),
  )
})

test('hashes as sha256sum does', () => {
  expect(sha256('"é"')).toBe('f2886017e9c7abacf804b54d64787dce2b611c9544ba21f3affdd126a6e50086')
})

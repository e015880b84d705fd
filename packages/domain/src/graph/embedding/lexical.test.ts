import { fnv1a } from '@specboard/storage'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lexicalDimension, lexicalVector } from './lexical.ts'
import { cosine, decodeVector, encodeVector } from './vectors.ts'

const likeness = (a: string, b: string) => cosine(lexicalVector(a), lexicalVector(b))

describe('the built-in embedder', () => {
  test.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
    ['u:café', 0xa666836c],
  ])('hashes %j with FNV-1a', (text, hash) => expect(fnv1a(text)).toBe(hash))

  test('one term: its term feature and its trigrams are at the positions of their hashes', () => {
    const expected = new Float64Array(lexicalDimension)
    for (const [feature, weight] of [
      ['u:api', 1],
      ['c:_ap', 0.2],
      ['c:api', 0.2],
      ['c:pi_', 0.2],
    ] as const) {
      const hash = fnv1a(feature)
      expected[hash % lexicalDimension]! += hash >>> 31 === 1 ? -weight : weight
    }
    const length = Math.hypot(...expected)
    expect([...lexicalVector('api')]).toEqual([...expected].map(value => Math.fround(value / length)))
  })

  test('is 1 for a text and itself, higher for a similar text than for another, and 0 without terms', () => {
    expect(likeness('Cache sessions in Redis', 'Cache sessions in Redis')).toBeCloseTo(1, 6)
    expect(likeness('Cache sessions in Redis', 'Caching a session')).toBeGreaterThan(
      likeness('Cache sessions in Redis', 'Send invoices by mail'),
    )
    expect(likeness('of the', 'Cache')).toBe(0)
  })

  test('weighs repeats by 1 + ln n', () => expect(likeness('cache cache cache', 'cache')).toBeLessThan(1))

  test('vectors have length 1 or 0 and survive storage', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const vector = lexicalVector(text)
        const length = Math.hypot(...vector)
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true)
        expect(decodeVector(encodeVector(vector))).toEqual(vector)
      }),
    ))
})

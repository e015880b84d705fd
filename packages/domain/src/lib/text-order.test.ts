import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byCodePoint } from './text-order.ts'

test('texts sort by code point', () => {
  // U+FF21 comes before U+1F600, although the first UTF-16 unit of the latter is smaller.
  expect(['😀', 'Ａ', 'b', 'B', ''].sort(byCodePoint)).toEqual(['', 'B', 'b', 'Ａ', '😀'])
})

test('orders texts like their UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(byCodePoint(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})

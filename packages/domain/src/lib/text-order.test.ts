import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byCodePoint } from './text-order.ts'

test('texts sort by code point', () => {
  // U+FF21 comes before U+1F600, whose first UTF-16 unit is the smaller one.
  expect(['😀', 'Ａ', 'b', 'B', ''].sort(byCodePoint)).toEqual(['', 'B', 'b', 'Ａ', '😀'])
})

test('orders as UTF-8 bytes do', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(byCodePoint(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})

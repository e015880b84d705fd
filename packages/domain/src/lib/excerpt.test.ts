import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerpt } from './excerpt.ts'

test('an excerpt is the first characters of a text, none of them split in two', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string())
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 20 }), (whole, characters) => {
      const expected = whole.length <= characters ? whole : [...whole].slice(0, characters).join('')
      expect(excerpt(whole, characters)).toBe(expected)
    }),
  )
})

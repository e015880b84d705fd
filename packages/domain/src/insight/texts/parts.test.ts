import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstPlaceOf, partOf } from './parts.ts'

test('the parts of a text joined are the text, whatever their length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (text, length) => {
      const parts: string[] = []
      for (let offset: number | null = 0; offset !== null; ) {
        const part: ReturnType<typeof partOf> = partOf(text, offset, length)
        expect(part.text.isWellFormed()).toBe(true)
        expect(part.total).toBe(text.length)
        parts.push(part.text)
        offset = part.next_offset
      }
      expect(parts.join('')).toBe(text)
    }),
  )
})

test('words are found in any case, with what stands before them', () => {
  const text = `${'a'.repeat(700)}The Word`
  expect(firstPlaceOf(text, 'the word')).toBe(200)
  expect(firstPlaceOf('The word', 'WORD')).toBe(0)
  expect(firstPlaceOf('The word', 'none')).toBeNull()
})

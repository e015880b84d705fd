import fc from 'fast-check'
import { expect, test } from 'vitest'
import { piecesOf } from './references-in.ts'

const keys = new Set(['SPE', 'A2'])
const referencesIn = (text: string) =>
  piecesOf(text, keys)
    .filter(({ isReference }) => isReference)
    .map(piece => piece.text)

test.each([
  ['After SPE-14, before A2-1.', ['SPE-14', 'A2-1']],
  ['(SPE-14)', ['SPE-14']],
  ['SPE-14?!', ['SPE-14']],
  ['SPE-14 again SPE-14', ['SPE-14', 'SPE-14']],
  ['https://example.com/SPE-14 and src/SPE-14.ts', []],
  ['XSPE-14, SPE-014, SPE-0, SPE-14b, spe-14', []],
  ['OTHER-1', []],
])('references in %j', (text, references) => expect(referencesIn(text)).toEqual(references))

test('the pieces of a text are the text', () => {
  const texts = fc
    .array(fc.oneof(fc.string(), fc.constantFrom('SPE-14', ' ', ', ', 'A2-3.')))
    .map(some => some.join(''))
  fc.assert(
    fc.property(texts, text => {
      expect(
        piecesOf(text, keys)
          .map(piece => piece.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

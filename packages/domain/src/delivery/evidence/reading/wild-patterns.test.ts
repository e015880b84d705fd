import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matches, readyPattern } from './matching.ts'
import { WildPatterns } from './wild-patterns.ts'

const word = fc.constantFrom('login', 'log', 'a', 'rejects', 'number 1', 'number 12', '::', ' ')
const address = fc.array(word, { maxLength: 6 }).map(words => words.join(''))
const pattern = fc
  .array(fc.oneof(word, fc.constantFrom('*', '**')), { maxLength: 5 })
  .map(parts => `*${parts.join('')}`)

test('finds the patterns that match a test, each once', () => {
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 12 }), fc.array(address, { maxLength: 6 }), (patterns, addresses) => {
      const wildPatterns = new WildPatterns<number>()
      const all = patterns.map(readyPattern)
      for (const [at, each] of all.entries()) wildPatterns.add(each, at)
      for (const tested of addresses) {
        const expected = all.flatMap((each, at) => (matches(each, tested) ? [at] : []))
        const found = wildPatterns.of(tested).map(({ of }) => of)
        expect(found.toSorted((one, other) => one - other)).toEqual(expected)
      }
    }),
  )
})

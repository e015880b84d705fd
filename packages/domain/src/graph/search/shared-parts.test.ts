import { expect, test } from 'vitest'
import { SharedParts } from './shared-parts.ts'

test.each([
  ['a word of the text', 'Keep the basket', 'basket', true],
  ['a word in another form', 'Keep the baskets', 'basket', true],
  ['a part of a word', 'Authentication by key', 'unauthenticated', true],
  ['nothing of it', 'Keep the basket', 'qzxw vvkj', false],
  ['words that say nothing', 'Keep the basket', 'of the', false],
])('a query that has %s', (_, text, query, shares) => {
  expect(new SharedParts(query).areIn(text)).toBe(shares)
})

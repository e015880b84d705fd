import { expect, test } from 'vitest'
import { hasTooManyParts, maxJsonParts } from './json-parts.ts'
import { atOnce } from './pieces.ts'

const judged = (text: string) => atOnce(hasTooManyParts(new TextEncoder().encode(text)))

test.each([
  ['objects', `[${'{}'.repeat(maxJsonParts)}`],
  ['brackets', '['.repeat(maxJsonParts + 1)],
  ['commas', `[${',1'.repeat(maxJsonParts)}`],
  ['objects behind a text with a quote', `["\\"",${'{}'.repeat(maxJsonParts)}`],
  ['objects behind a text that ends with a backslash', `["\\\\",${'{}'.repeat(maxJsonParts)}`],
])('too many %s are found', (_, text) => {
  expect(judged(text)).toBe(true)
})

test.each([
  ['what is in a text', JSON.stringify(['{[,'.repeat(maxJsonParts)])],
  ['what is in a text with quotes', JSON.stringify(['",{"'.repeat(maxJsonParts)])],
  ['as many as may be', `[${',1'.repeat(maxJsonParts - 1)}]`],
])('%s passes', (_, text) => {
  expect(judged(text)).toBe(false)
})

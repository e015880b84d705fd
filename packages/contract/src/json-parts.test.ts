import { expect, test } from 'vitest'
import { hasTooManyParts, mostJsonParts } from './json-parts.ts'
import { atOnce } from './pieces.ts'

const judged = (text: string) => atOnce(hasTooManyParts(new TextEncoder().encode(text)))

test.each([
  ['objects', `[${'{}'.repeat(mostJsonParts)}`],
  ['brackets', '['.repeat(mostJsonParts + 1)],
  ['commas', `[${',1'.repeat(mostJsonParts)}`],
  ['objects behind a text with a quote', `["\\"",${'{}'.repeat(mostJsonParts)}`],
  ['objects behind a text that ends with a backslash', `["\\\\",${'{}'.repeat(mostJsonParts)}`],
])('too many %s are found', (_, text) => {
  expect(judged(text)).toBe(true)
})

test.each([
  ['what is in a text', JSON.stringify(['{[,'.repeat(mostJsonParts)])],
  ['what is in a text with quotes', JSON.stringify(['",{"'.repeat(mostJsonParts)])],
  ['as many as may be', `[${',1'.repeat(mostJsonParts - 1)}]`],
])('%s passes', (_, text) => {
  expect(judged(text)).toBe(false)
})

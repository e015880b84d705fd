import { operationByName } from '@specboard/contract'
import { expect, test } from 'vitest'
import { answerValue } from './answer-value.ts'
import type { ValueText } from './ceiling.ts'
import { readArguments } from './read-arguments.ts'
import { readingOn } from './read-on.ts'
import reduce, { writtenFrom } from './reduce-answer.ts'

const operation = operationByName.get('list_cards')!
const args = { board_id: 'b', fields: 'title,no_such', limit: 2 }

/** The facts that shape an answer, and the input of its call. */
function shaping() {
  const read = readArguments(operation, args)
  if (!read.ok) throw new Error(JSON.stringify(read.items))
  const { options, warnings } = read
  return { input: read.input, told: { options, given: args, warnings, ceiling: 20_000, hint: 'Nothing.' } }
}

const cards = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `c${index}`, title: 'x'.repeat(length), status: 'done' }))

test.each([
  ['small', 2, 10],
  ['above the ceiling', 2, 40_000],
])('an answer that is %s is shaped in a thread as it is here', (_, count, length) => {
  const { input, told } = shaping()
  const answer = { status: 200, body: cards(count, length), total: 7 }
  const json = new TextEncoder().encode(JSON.stringify(reduce(answer, { operation, input }, told)))
  const there = writtenFrom(json, value => readingOn({ ...told, operation, value }))
  const here = answerValue(answer, { ...told, operation, input })
  const data = ({ value, text, uncut }: ValueText) => ({ value, text, uncut: uncut?.() })
  expect(data(there)).toEqual(data(here))
})

test('an uncut value that is too large to be handed over is left out', () => {
  const { input, told } = shaping()
  const reduced = reduce({ status: 200, body: cards(20, 100_000) }, { operation, input }, told) as object
  expect(Object.keys(reduced)).toEqual(['value'])
})

import { expect, test } from 'vitest'
import { contradiction, statementOf } from './polarity.ts'

const judge = (a: string, b: string) => contradiction(statementOf(a), statementOf(b))

test('the example of the contract: J = 1, confidence 0.85', () =>
  expect(judge('Use Redis for session cache', 'Do not use Redis for session cache')).toBe(0.85))

test.each([
  ['not'],
  ['no'],
  ['never'],
  ['without'],
  ['avoid'],
  ['drop'],
  ['remove'],
  ['stop'],
  ["don't"],
  ['cannot'],
  ["can't"],
  ["mustn't"],
  ['shouldn’t'],
  ['reject'],
  ['disable'],
])('%s makes a title negative', word => expect(statementOf(`We ${word} cache sessions`).polarity).toBe(-1))

test('cores leave out negations and fillers, after analysis', () =>
  expect(statementOf("We should no longer be using caches; we can't keep sessions").core).toEqual([
    'cach',
    'session',
    'we',
  ]))

test.each([
  ['Use Redis for cache', 'Use Redis for cache', null],
  ['Redis', 'No Redis', null],
  ['Store events in Kafka topics', 'Do not store sessions in Redis', null],
])('%s / %s: no contradiction', (a, b, expected) => expect(judge(a, b)).toBe(expected))

test('a similarity of 0.6 is enough: three of five terms', () => {
  expect(judge('cache user sessions nightly', 'never cache user sessions weekly')).toBe(
    Math.round((0.5 + 0.35 * 0.6) * 100) / 100,
  )
  expect(judge('cache user sessions nightly', 'never cache user data weekly')).toBeNull()
})

import { expect, test } from 'vitest'
import { StreamCounter } from './stream-counter.ts'

test('the oldest of an agent ends when it opens one more than 32', () => {
  const counter = new StreamCounter()
  const ended: string[] = []
  const open = (agent: string, name: string) => counter.open(agent, () => ended.push(name))
  const closes = Array.from({ length: 32 }, (_, index) => open('a', `a${index}`))
  open('b', 'b0')
  expect(ended).toStrictEqual([])
  open('a', 'a32')
  expect(ended).toStrictEqual(['a0'])
  closes[0]!()
  closes[1]!()
  open('a', 'a33')
  expect(ended).toStrictEqual(['a0'])
  open('a', 'a34')
  expect(ended).toStrictEqual(['a0', 'a2'])
})

test('of all agents together 2,000 are open, and one that closes makes room', () => {
  const counter = new StreamCounter()
  const closes = Array.from({ length: 2_000 }, (_, index) => counter.open(`agent ${index}`, () => {}))
  expect(closes.every(close => close !== null)).toBe(true)
  expect(counter.open('one more', () => {})).toBeNull()
  closes[7]!()
  closes[7]!()
  expect(counter.open('one more', () => {})).not.toBeNull()
  expect(counter.open('another', () => {})).toBeNull()
})

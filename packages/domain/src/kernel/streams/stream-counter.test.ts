import { expect, test } from 'vitest'
import type { Holder } from './holder.ts'
import { type OpenKind, StreamCounter } from './stream-counter.ts'

const holder = (agentId: string, rest: Partial<Holder> = {}): Holder => ({
  agentId,
  family: undefined,
  session: undefined,
  ...rest,
})

/** A counter that notes what it ends. */
function counted() {
  const counter = new StreamCounter()
  const ended: string[] = []
  const open = (by: Holder, name: string, kind: OpenKind = 'events') => counter.open(by, kind, () => ended.push(name))
  return { counter, ended, open }
}

test('the oldest of an agent ends when it opens one more than 32 of a kind', () => {
  const { ended, open } = counted()
  const closes = Array.from({ length: 32 }, (_, index) => open(holder('a'), `a${index}`))
  open(holder('b'), 'b0')
  open(holder('a'), 'wait', 'wait')
  expect(ended).toStrictEqual([])
  open(holder('a'), 'a32')
  expect(ended).toStrictEqual(['a0'])
  closes[0]!()
  closes[1]!()
  open(holder('a'), 'a33')
  expect(ended).toStrictEqual(['a0'])
  open(holder('a'), 'a34')
  expect(ended).toStrictEqual(['a0', 'a2'])
})

test('an agent and those that it made have 256 open together, of all kinds', () => {
  const { ended, open } = counted()
  const kinds = ['events', 'wait', 'mcp'] as const
  for (let index = 0; index < 256; index++)
    open(holder(`agent ${index % 16}`, { family: 'maker' }), `${index}`, kinds[index % 3])
  open(holder('other', { family: 'another maker' }), 'other')
  expect(ended).toStrictEqual([])
  open(holder('the next', { family: 'maker' }), 'next')
  expect(ended).toStrictEqual(['0'])
})

test('of all agents together 2,000 are open, and one that closes makes room', () => {
  const { open } = counted()
  const closes = Array.from({ length: 2_000 }, (_, index) => open(holder(`agent ${index}`), ''))
  expect(closes.every(close => close !== null)).toBe(true)
  expect(open(holder('one more'), '')).toBeNull()
  closes[7]!()
  closes[7]!()
  expect(open(holder('one more'), '')).not.toBeNull()
  expect(open(holder('another'), '')).toBeNull()
})

test('a session that ends takes what it holds open with it, and nothing else', () => {
  const { counter, ended, open } = counted()
  open(holder('a', { session: 'one' }), 'first')
  open(holder('a', { session: 'two' }), 'other')
  open(holder('a'), 'by key')
  open(holder('a', { session: 'one' }), 'second', 'wait')
  counter.endSession('one')
  expect(ended).toStrictEqual(['first', 'second'])
  counter.endSession('one')
  expect(ended).toHaveLength(2)
})

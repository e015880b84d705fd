import { expect, test } from 'vitest'
import { messageInPieces, messageOf } from './message.ts'

const call = (params: unknown, more: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params, ...more })

/** Makes a body large without changing what it is. */
const padding = 'x'.repeat(20_000)

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown

test.each([
  ['a request', call({ name: 'get_board', padding })],
  ['a request with many members', call({ arguments: { items: Array.from({ length: 50_000 }, () => ({})) } })],
  ['a notification', call({ padding }, { id: undefined })],
  ['a response', call({ padding }, { method: undefined, result: {} })],
  ['nested as deep as it may be', call({ padding, deep: nested(62) })],
  ['nested too deep', call({ padding, deep: nested(63) })],
  ['a batch', `[${call({ padding })}]`],
  ['not JSON', `${call({ padding })}}`],
  ['not JSON-RPC', JSON.stringify({ padding })],
])('a large body is judged like a small one: %s (trust 1)', async (_, text) => {
  const [large, small] = [await messageInPieces(Buffer.from(text)), messageOf(text)]
  if (!(small instanceof Response)) expect(large).toEqual(small)
  else expect(await (large as Response).json()).toEqual(await small.json())
})

test('a message may be nested 64 deep (mcp 15)', () => {
  expect(messageOf(call({ deep: nested(62) }))).toMatchObject({ kind: 'request' })
  expect(messageOf(call({ deep: nested(63) }))).toBeInstanceOf(Response)
})

test('of more arguments than a tool takes, as many are kept as have it refused (trust 1)', () => {
  const wide = (members: number) => Object.fromEntries(Array.from({ length: members }, (_, index) => [`k${index}`, 0]))
  const keptOf = (members: number) => {
    const read = messageOf(call({ name: 'get_board', arguments: wide(members) }))
    if (read instanceof Response || read.kind !== 'request') throw new Error('It is a request.')
    return read.message.params?.arguments
  }
  expect(keptOf(20_000)).toEqual(wide(20_000))
  expect(keptOf(30_000)).toEqual(wide(20_001))
})

import { expect, test } from 'vitest'
import { BoardGates, everyBoard } from './board-gates.ts'

const nothing: ReadonlySet<string> = new Set()

/** Calls that note when they run, and end when they are told to. */
function calls(gates: BoardGates) {
  const ran: string[] = []
  const call = (name: string, board: string | null, run = async () => {}) =>
    gates.through(
      async () => board,
      () => {
        ran.push(name)
        return run()
      },
    )
  return { ran, call }
}

test('calls of a closed board and of all boards wait until it is open; others do not', async () => {
  const gates = new BoardGates()
  const { ran, call } = calls(gates)
  const { open } = await gates.close('a', nothing)
  const waiting = [call('of a', 'a'), call('of all', everyBoard)]
  await Promise.all([call('of b', 'b'), call('of none', null)])
  expect(ran).toEqual(['of b', 'of none'])
  open()
  await Promise.all(waiting)
  expect(ran).toEqual(['of b', 'of none', 'of a', 'of all'])
})

test('a board is closed once the calls that had begun have ended', async () => {
  const gates = new BoardGates()
  const { ran, call } = calls(gates)
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = call('before', 'a', () => promise)
  const closed = gates.close('a', nothing).then(async ({ drained, open }) => {
    await drained
    ran.push('closed')
    return open
  })
  const waiting = call('after', 'a')
  resolve()
  await running
  const open = await closed
  expect(ran).toEqual(['before', 'closed'])
  open()
  await waiting
  expect(ran).toEqual(['before', 'closed', 'after'])
})

test('whoever closes a closed board waits for its opening, and each closing is counted', async () => {
  const gates = new BoardGates()
  const first = await gates.close('a', nothing)
  const second = gates.close('a', nothing)
  expect(gates.closings('a')).toBe(1)
  first.open()
  const { open } = await second
  expect([gates.closings('a'), gates.closings('b')]).toEqual([2, 0])
  open()
})

test('a call that fails does not keep a board open', async () => {
  const gates = new BoardGates()
  const { call } = calls(gates)
  const failing = call('fails', 'a', async () => {
    throw new Error('refused')
  })
  const { drained } = await gates.close('a', nothing)
  await expect(failing).rejects.toThrow('refused')
  await drained
})

test('a call does not wait for a closed board without end', async () => {
  const gates = new BoardGates({ patienceMs: 5 })
  const { ran, call } = calls(gates)
  const { open } = await gates.close('a', nothing)
  await expect(call('of a', 'a')).rejects.toMatchObject({ code: 'BUSY' })
  open()
  await call('of a again', 'a')
  expect(ran).toEqual(['of a again'])
})

test('a call of a closed board that is not concerned goes on; one that is waits, and is asked of the next closing too', async () => {
  const gates = new BoardGates()
  const ran: string[] = []
  const call = (name: string, about: string) =>
    gates.through(
      async () => 'a',
      async () => {
        ran.push(name)
      },
      async touched => touched.has(about),
    )
  const { open } = await gates.close('a', new Set(['x']))
  const waiting = call('about x', 'x')
  await call('about y', 'y')
  expect(ran).toEqual(['about y'])
  const closedAgain = gates.close('a', new Set(['y']))
  open()
  const { open: openAgain } = await closedAgain
  await waiting
  expect(ran).toEqual(['about y', 'about x'])
  openAgain()
})

import { expect, test } from 'vitest'
import { WrongKeys } from './wrong-keys.ts'

/** A limit with a clock and pauses of its own. */
function limited() {
  const state = { now: 0, pauses: [] as (() => void)[], many: [] as string[] }
  const limit = new WrongKeys({
    clock: () => state.now,
    pause: () => new Promise(resolve => state.pauses.push(resolve)),
    onMany: address => state.many.push(address),
  })
  const times = (count: number, address = 'a') =>
    Array.from({ length: count }, () =>
      limit.refused(address).then(
        () => 'answered',
        error => error.detail,
      ),
    )
  return { state, times }
}

const refusal = { error: 'RATE_LIMITED', retry_after: 60 }

test('twenty wrong keys in a minute are answered at once, further ones after a pause', async () => {
  const { state, times } = limited()
  expect(await Promise.all(times(20))).toStrictEqual(Array.from({ length: 20 }, () => 'answered'))
  const late = times(1)
  expect(state.pauses).toHaveLength(1)
  state.pauses[0]!()
  expect(await late[0]).toBe('answered')
  expect(await Promise.all(times(20, 'b'))).not.toContainEqual(expect.objectContaining(refusal))
})

test('a hundred wait at once, others are refused', async () => {
  const { state, times } = limited()
  times(120)
  expect(state.pauses).toHaveLength(100)
  expect(await times(1)[0]).toMatchObject(refusal)
})

test('above two hundred in a minute all are refused, until the minute is over', async () => {
  const { state, times } = limited()
  for (let turn = 0; turn < 2; turn++) {
    times(100)
    for (const end of state.pauses.splice(0)) end()
    await Promise.resolve()
    await Promise.resolve()
  }
  expect(state.pauses).toHaveLength(0)
  state.now = 30_000
  expect(await times(1)[0]).toMatchObject({ ...refusal, retry_after: 30 })
  state.now = 60_000
  expect(await times(1)[0]).toBe('answered')
})

test('every twenty in a row are told', () => {
  const { state, times } = limited()
  times(19)
  expect(state.many).toStrictEqual([])
  times(21)
  expect(state.many).toStrictEqual(['a', 'a'])
})

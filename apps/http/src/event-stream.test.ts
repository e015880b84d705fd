import { StreamingApi } from 'hono/utils/stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendEvents } from './event-stream.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Sends an endless stream of events to a reader whose buffers hold two of them, and records what happens to it. */
function opened() {
  const state = { pulled: 0, ended: false, cut: false }
  async function* events() {
    try {
      for (;;) yield { event: 'tick', id: String(++state.pulled), data: {} }
    } finally {
      state.ended = true
    }
  }
  const { readable, writable } = new TransformStream()
  const to = new StreamingApi(writable, readable)
  const reader = to.responseReadable.getReader()
  const sent = sendEvents(to, events(), () => {
    state.cut = true
    to.abort()
  })
  const read = async (): Promise<string> => {
    await vi.advanceTimersByTimeAsync(1)
    return new TextDecoder().decode((await reader.read()).value)
  }
  return { state, reader, read, sent }
}

test('pulls events only as fast as the reader reads them', async () => {
  const { state, read } = opened()
  expect(await read()).toBe('id: 1\nevent: tick\ndata: {}\n\n')
  const before = state.pulled
  await vi.advanceTimersByTimeAsync(10_000)
  expect(state.pulled).toBeLessThanOrEqual(before + 1)
  expect(state.pulled).toBeLessThan(5)
})

test('cuts off a reader that reads nothing for 30 s, and no other', async () => {
  const { state, read, sent } = opened()
  for (let round = 0; round < 3; round++) {
    await read()
    await vi.advanceTimersByTimeAsync(29_000)
  }
  expect(state).toMatchObject({ ended: false, cut: false })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(state).toMatchObject({ ended: true, cut: true })
  await sent
})

test('ends when the reader disconnects', async () => {
  const { state, reader, read, sent } = opened()
  await read()
  await reader.cancel()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(state).toMatchObject({ ended: true, cut: false })
  await sent
})

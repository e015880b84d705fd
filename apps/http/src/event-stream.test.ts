import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventStream } from './event-stream.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** A stream with endless events, and what becomes of it. */
function opened() {
  const state = { pulled: 0, ended: false, cut: false }
  async function* events() {
    try {
      for (;;) yield { event: 'tick', id: String(++state.pulled), data: {} }
    } finally {
      state.ended = true
    }
  }
  const gone = new AbortController()
  const response = eventStream({ events: events() }, gone.signal, () => {
    state.cut = true
  })
  return { state, gone, reader: response.body!.getReader() }
}

test('pulls an event only when its reader takes one', async () => {
  const { state, reader } = opened()
  expect(state.pulled).toBe(0)
  const { value } = await reader.read()
  expect(new TextDecoder().decode(value)).toBe('id: 1\nevent: tick\ndata: {}\n\n')
  expect(state.pulled).toBe(1)
})

test('a reader that takes nothing for 30 s is cut; one that does is not', async () => {
  const { state, reader } = opened()
  await reader.read()
  await vi.advanceTimersByTimeAsync(29_000)
  await reader.read()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(state).toEqual({ pulled: 2, ended: false, cut: false })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(state).toEqual({ pulled: 2, ended: true, cut: true })
  expect((await reader.read()).done).toBe(true)
})

test('ends with its reader', async () => {
  const { state, gone, reader } = opened()
  await reader.read()
  gone.abort()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(state).toEqual({ pulled: 1, ended: true, cut: false })
})

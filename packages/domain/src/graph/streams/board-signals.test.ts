import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BoardSignals } from './board-signals.ts'

const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Listens to a board for ever; counts how often it is notified. */
function listener(signals: BoardSignals, boardId = 'b') {
  const told = { times: 0 }
  const stopped = new AbortController()
  const listen = async () => {
    while (!stopped.signal.aborted) {
      await signals.next(boardId, minute, stopped.signal)
      if (!stopped.signal.aborted) told.times++
    }
  }
  void listen()
  return { told, stop: () => stopped.abort() }
}

test('reports a change immediately, further changes together, and always the last one', async () => {
  const signals = new BoardSignals()
  const { told, stop } = listener(signals)
  signals.tell('b')
  await vi.advanceTimersByTimeAsync(0)
  expect(told.times).toBe(1)
  for (let change = 0; change < 50; change++) signals.tell('b')
  await vi.advanceTimersByTimeAsync(0)
  expect(told.times).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told.times).toBe(2)
  signals.tell('b')
  await vi.advanceTimersByTimeAsync(0)
  expect(told.times).toBe(3)
  stop()
})

test('boards do not wait for each other', async () => {
  const signals = new BoardSignals()
  const [one, other] = [listener(signals, 'one'), listener(signals, 'other')]
  signals.tell('one')
  signals.tell('other')
  await vi.advanceTimersByTimeAsync(0)
  expect([one.told.times, other.told.times]).toEqual([1, 1])
  one.stop()
  other.stop()
})

test('tellAll wakes everyone immediately, even just after a notification', async () => {
  const signals = new BoardSignals()
  const { told, stop } = listener(signals)
  signals.tell('b')
  await vi.advanceTimersByTimeAsync(0)
  signals.tellAll()
  await vi.advanceTimersByTimeAsync(0)
  expect(told.times).toBe(2)
  stop()
})

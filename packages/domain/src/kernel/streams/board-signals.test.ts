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
  const notified = { times: 0 }
  const stopped = new AbortController()
  const listen = async () => {
    while (!stopped.signal.aborted) {
      await signals.next(boardId, minute, stopped.signal)
      if (!stopped.signal.aborted) notified.times++
    }
  }
  void listen()
  return { notified, stop: () => stopped.abort() }
}

test('reports a change immediately, further changes together, and always the last one', async () => {
  const signals = new BoardSignals(100)
  const { notified, stop } = listener(signals)
  signals.notify('b')
  await vi.advanceTimersByTimeAsync(0)
  expect(notified.times).toBe(1)
  for (let change = 0; change < 50; change++) signals.notify('b')
  await vi.advanceTimersByTimeAsync(0)
  expect(notified.times).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(notified.times).toBe(2)
  signals.notify('b')
  await vi.advanceTimersByTimeAsync(0)
  expect(notified.times).toBe(3)
  stop()
})

test('boards do not wait for each other', async () => {
  const signals = new BoardSignals(100)
  const [one, other] = [listener(signals, 'one'), listener(signals, 'other')]
  signals.notify('one')
  signals.notify('other')
  await vi.advanceTimersByTimeAsync(0)
  expect([one.notified.times, other.notified.times]).toEqual([1, 1])
  one.stop()
  other.stop()
})

test('notifyAll wakes everyone immediately, even just after a notification', async () => {
  const signals = new BoardSignals(100)
  const { notified, stop } = listener(signals)
  signals.notify('b')
  await vi.advanceTimersByTimeAsync(0)
  signals.notifyAll()
  await vi.advanceTimersByTimeAsync(0)
  expect(notified.times).toBe(2)
  stop()
})

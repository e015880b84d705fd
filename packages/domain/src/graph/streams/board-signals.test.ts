import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BoardSignals } from './board-signals.ts'

const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Listens to a board for ever; counts how often it is told. */
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

test('tells of a change at once, of what follows together, and of the last for certain', async () => {
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

test('a board does not wait for another', async () => {
  const signals = new BoardSignals()
  const [one, other] = [listener(signals, 'one'), listener(signals, 'other')]
  signals.tell('one')
  signals.tell('other')
  await vi.advanceTimersByTimeAsync(0)
  expect([one.told.times, other.told.times]).toEqual([1, 1])
  one.stop()
  other.stop()
})

test('when all are told nobody waits, whatever was told just now', async () => {
  const signals = new BoardSignals()
  const { told, stop } = listener(signals)
  signals.tell('b')
  await vi.advanceTimersByTimeAsync(0)
  signals.tellAll()
  await vi.advanceTimersByTimeAsync(0)
  expect(told.times).toBe(2)
  stop()
})

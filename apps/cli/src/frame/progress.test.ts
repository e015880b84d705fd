import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { messagesOf } from './follow-import.ts'
import { phaseBars } from './progress.ts'

afterEach(() => vi.restoreAllMocks())

/** What stands in for standard error: a terminal, or a file. */
function screen(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), {
    isTTY,
    columns: 120,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
  })
  const chunks: string[] = []
  stream.on('data', chunk => chunks.push(String(chunk)))
  return { stream, output: () => chunks.join('') }
}

/** Freezes the clock until it is advanced. */
function clock() {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  return (ms: number) => {
    now += ms
  }
}

test('a verb that lasts more than a second has a bar for each of its phases, on a terminal', () => {
  const pass = clock()
  const { stream, output } = screen(true)
  const bars = phaseBars({ reading: 'reading', writing: 'writing' }, stream)
  bars.show('reading', 1, 4)
  expect(output()).toBe('')
  pass(1_001)
  bars.show('reading', 2, 4)
  bars.show('writing', 3, 4)
  bars.end()
  expect(output()).toMatch(/reading \[[^\]]+\] 50%.*writing \[[^\]]+\] 75%/s)
})

test('what nobody knows the end of is told as it grows', () => {
  const pass = clock()
  const { stream, output } = screen(true)
  const bars = phaseBars({ export: 'export' }, stream)
  pass(2_000)
  bars.show('export', 3 << 20, null)
  bars.end()
  expect(output()).toContain('export  3.0 MiB')
})

test('nothing is drawn where nobody looks', () => {
  const pass = clock()
  const { stream, output } = screen(false)
  const bars = phaseBars({ export: 'export' }, stream)
  pass(2_000)
  bars.show('export', 1, 2)
  bars.end()
  expect(output()).toBe('')
})

test('the messages of a stream are read in whatever parts they come', async () => {
  const text = 'retry: 2000\n\nevent: import\ndata: {"done":1}\n\n: alive\n\ndata: {}\n\n'
  const bytes = new TextEncoder().encode(text)
  const body = ReadableStream.from(Array.from(bytes, byte => Uint8Array.of(byte)))
  const messages: unknown[] = []
  for await (const message of messagesOf(body)) messages.push(message)
  expect(messages).toEqual([
    { event: 'import', data: '{"done":1}' },
    { event: 'message', data: '{}' },
  ])
})

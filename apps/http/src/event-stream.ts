import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { StreamAnswer, StreamComment, StreamEvent } from '@specboard/domain'

/** A reader that takes nothing for so long is cut off, ms; it comes back with the last event that it saw. */
const slowReaderMs = 30_000

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

const textOf = (message: StreamEvent | StreamComment): string => {
  if ('comment' in message) return `: ${message.comment}\n\n`
  const { id, event, data, retry } = message
  return [
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${JSON.stringify(data)}`,
    '\n',
  ].join('\n')
}

/**
 * Sends an open event stream, pulled as fast as its reader reads: no more than a buffer gathers for a slow
 * one. Settles when the stream or its reader has ended.
 * @param signal fires when the reader goes away
 * @param cut closes the reader's connection at once
 */
export async function sendEvents(
  to: Writable,
  { events }: StreamAnswer,
  signal: AbortSignal,
  cut: () => void,
): Promise<void> {
  const source = events[Symbol.asyncIterator]()
  const end = () => void source.return?.()
  signal.addEventListener('abort', end, { once: true })
  for (let next = await source.next(); !next.done && !signal.aborted; next = await source.next()) {
    if (to.write(textOf(next.value)) || (await takesMore(to, signal))) continue
    end()
    return cut()
  }
  to.end()
}

/** Waits until the reader took what was sent, or is gone; false when it takes too long. */
async function takesMore(to: Writable, signal: AbortSignal): Promise<boolean> {
  const waited = new AbortController()
  const timer = setTimeout(() => waited.abort(), slowReaderMs).unref()
  await once(to, 'drain', { signal: AbortSignal.any([signal, waited.signal]) }).catch(() => {})
  clearTimeout(timer)
  return !waited.signal.aborted
}

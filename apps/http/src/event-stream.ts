import type { StreamComment, StreamEvent } from '@specboard/domain'
import type { StreamingApi } from 'hono/utils/stream'

/** A reader that takes nothing for so long is cut off, ms; it comes back with the last event that it saw. */
const slowReaderMs = 30_000

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** Hono's `writeSSE` knows no comments, and puts `retry` behind the data that it holds for. */
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
 * @param cut closes the reader's connection at once
 */
export async function sendEvents(
  to: StreamingApi,
  events: AsyncIterable<StreamEvent | StreamComment>,
  cut: () => void,
): Promise<void> {
  const source = events[Symbol.asyncIterator]()
  const end = () => void source.return?.()
  to.onAbort(end)
  for (let next = await source.next(); !next.done && !to.aborted; next = await source.next()) {
    if (await takes(to, textOf(next.value))) continue
    end()
    return cut()
  }
}

/** Waits until the reader took what was sent, or is gone; false when it takes too long. */
async function takes(to: StreamingApi, text: string): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(resolve, slowReaderMs, false).unref()
  const taken = await Promise.race([to.write(text).then(() => true), late])
  clearTimeout(timer)
  return taken
}

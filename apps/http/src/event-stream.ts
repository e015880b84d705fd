import type { StreamComment, StreamEvent } from '@specboard/domain'
import type { StreamingApi } from 'hono/utils/stream'

/** How long a reader may read nothing before it is cut off, ms; it reconnects with the last event it saw. */
const slowReaderMs = 30_000

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** Not Hono's `writeSSE`: it cannot write comments, and puts `retry` after the data that it applies to. */
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
 * Sends an open event stream. Events are pulled as fast as the reader reads, so at most one buffer fills up for a
 * slow reader. Settles when the stream ends or the reader disconnects.
 * @param cut closes the reader's connection immediately
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

/** Waits until the reader has read what was sent or has disconnected; false when it takes too long. */
async function takes(to: StreamingApi, text: string): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(resolve, slowReaderMs, false).unref()
  const taken = await Promise.race([to.write(text).then(() => true), late])
  clearTimeout(timer)
  return taken
}

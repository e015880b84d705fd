import type { StreamComment, StreamEvent } from '@specboard/domain'
import type { StreamingApi } from 'hono/utils/stream'

/** How long a client may read nothing before it is disconnected, ms; it can resume after the last event it saw. */
const slowReaderMs = 30_000

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** Not Hono's `writeSSE`, which supports no comments and puts `retry` after the data. */
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

const encoder = new TextEncoder()

/** The bytes of messages, shared by the streams of one board. */
const bytesOf = new WeakMap<StreamEvent | StreamComment, Uint8Array>()

const encoded = (message: StreamEvent | StreamComment): Uint8Array => {
  const cached = bytesOf.get(message)
  if (cached !== undefined) return cached
  const bytes = encoder.encode(textOf(message))
  bytesOf.set(message, bytes)
  return bytes
}

/**
 * Sends an open event stream, no faster than the client reads: for a slow client nothing accumulates beyond the
 * buffers. Resolves when the stream ends or the client disconnects.
 * @param cut closes the connection at once
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
    if (await sent(to, encoded(next.value))) continue
    end()
    return cut()
  }
}

/** Sends bytes and waits until the client has received them or disconnected; false if that takes too long. */
async function sent(to: StreamingApi, bytes: Uint8Array): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(resolve, slowReaderMs, false).unref()
  const isInTime = await Promise.race([to.write(bytes).then(() => true), late])
  clearTimeout(timer)
  return isInTime
}

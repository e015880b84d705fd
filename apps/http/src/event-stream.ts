import type { StreamAnswer, StreamComment, StreamEvent } from '@specboard/domain'

/** A reader that takes nothing for so long is cut off, ms; it comes back with the last event that it saw. */
const slowReaderMs = 30_000

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
 * An open event stream, pulled as fast as its reader reads: nothing gathers here for a slow one.
 * @param signal fires when the reader goes away
 * @param cut closes the reader's connection at once
 */
export function eventStream({ events }: StreamAnswer, signal: AbortSignal, cut: () => void): Response {
  const encoder = new TextEncoder()
  const source = events[Symbol.asyncIterator]()
  let unread: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(unread)
    void source.return?.()
  }
  signal.addEventListener('abort', end, { once: true })
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(unread)
        const next = await source.next()
        if (next.done) {
          end()
          controller.close()
          return
        }
        controller.enqueue(encoder.encode(textOf(next.value)))
        unread = setTimeout(() => {
          end()
          controller.close()
          cut()
        }, slowReaderMs).unref()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    },
  })
}

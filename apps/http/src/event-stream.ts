import type { StreamAnswer, StreamEvent } from '@specboard/domain'

const keepAliveMs = 15_000

const lineOf = ({ id, event, data }: StreamEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`

/** An open event stream: pulled as fast as the reader reads, a comment line every 15 s keeps it alive. */
export function eventStream({ events }: StreamAnswer, signal: AbortSignal): Response {
  const encoder = new TextEncoder()
  const source = events[Symbol.asyncIterator]()
  let alive: NodeJS.Timeout | undefined
  const end = () => {
    clearInterval(alive)
    void source.return?.()
  }
  signal.addEventListener('abort', end, { once: true })
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(': open\n\n'))
      alive = setInterval(() => controller.enqueue(encoder.encode(': alive\n\n')), keepAliveMs)
    },
    async pull(controller) {
      const next = await source.next()
      if (next.done) {
        end()
        controller.close()
      } else {
        controller.enqueue(encoder.encode(lineOf(next.value)))
      }
    },
    cancel: end,
  })
  return new Response(body, {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
  })
}

import { stream } from 'hono/streaming'
import type { StreamingApi } from 'hono/utils/stream'
import { type HttpContext, nodeOf, type Report } from './http-env.ts'

/**
 * Streams an answer piece by piece, as fast as the reader reads it.
 * @param send sends the pieces until there are no more or the reader disconnects; `cut` closes the connection
 *   immediately
 * @param report receives the fault that broke an answer off, when it is too late to tell the reader
 */
export async function streamedAnswer<Piece>(
  c: HttpContext,
  headers: Readonly<Record<string, string>>,
  pieces: AsyncIterable<Piece>,
  send: (to: StreamingApi, pieces: AsyncIterable<Piece>, cut: () => void) => Promise<void>,
  report: Report,
): Promise<Response> {
  if (c.req.method === 'HEAD') {
    await pieces[Symbol.asyncIterator]().return?.()
    return c.body(null, 200, headers)
  }
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  return stream(
    c,
    to => send(to, pieces, () => cut(c, to)),
    async (error, to) => {
      report(error, c)
      cut(c, to)
    },
  )
}

/** Closes the connection, so that the part sent so far does not look complete. */
function cut(c: HttpContext, to: StreamingApi): void {
  nodeOf(c).outgoing?.destroy()
  to.abort()
}

/** Sends the bytes of a file. */
export async function sendChunks(to: StreamingApi, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const chunk of chunks) {
    if (to.aborted) return
    await to.write(chunk)
  }
}

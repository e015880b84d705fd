import { DomainError } from '@specboard/domain'
import { stream } from 'hono/streaming'
import type { StreamingApi } from 'hono/utils/stream'
import { type HttpContext, nodeOf, type Report } from './http-env.ts'

/**
 * An answer whose body is sent piece by piece, no faster than the client reads.
 * @param send sends the pieces until they end or the client disconnects; `cut` closes the connection at once
 * @param report called with the error that cut an answer off, since the client can no longer be told
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
      // A late refusal, such as that of a service that is stopping, is not a fault.
      if (!(error instanceof DomainError)) report(error, c)
      cut(c, to)
    },
  )
}

/** Closes the connection, so that an incomplete body does not look complete. */
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

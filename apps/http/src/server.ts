import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { DomainError } from '@specboard/domain'
import { json } from './answers.ts'
import { withoutBase } from './base-path.ts'
import type { HttpApp } from './http-env.ts'
import { headersOfAnswer } from './middleware/answer-headers.ts'
import { internalError, type Refusal, refusalOf } from './refusals.ts'

/**
 * How long an idle connection stays open, ms: longer than proxies keep theirs (a minute), so that none sends a request
 * into a connection that closes at that moment.
 */
const keepAliveTimeout = 75_000

/** A listening server. */
export interface RunningServer {
  /** The port that it listens on. */
  readonly port: number
  /**
   * Answers requests with an application, including those that are already waiting.
   * @param basePath the path below which it is reached; by default the root
   */
  answerWith(app: HttpApp, basePath?: string): void
  /** Stops accepting connections and finishes accepted requests; ends after the grace period (ms) at the latest. */
  stop(graceMs?: number): Promise<void>
}

/**
 * Listens on a host and port; port 0 takes a free one. Requests wait until an application answers them, so that a
 * service knows that it has its port before it opens anything. Not `serve` of node-server: a request with a malformed
 * target or Host never reaches the application, and `serve` can only answer it with an empty 400.
 * @throws the system's error, such as EADDRINUSE
 */
export function listen(hostname: string, port: number): Promise<RunningServer> {
  const { promise, resolve, reject } = Promise.withResolvers<RunningServer>()
  const waiting: [IncomingMessage, ServerResponse][] = []
  const wait = (...request: [IncomingMessage, ServerResponse]) => void waiting.push(request)
  const server = createServer({ keepAliveTimeout }, wait)
  const answerWith = ({ fetch }: HttpApp, basePath = '') => {
    const answer = getRequestListener(fetch, { hostname, errorHandler })
    const listener =
      basePath === ''
        ? answer
        : (incoming: IncomingMessage, outgoing: ServerResponse) => {
            incoming.url = withoutBase(incoming.url ?? '/', basePath)
            return answer(incoming, outgoing)
          }
    server.off('request', wait).on('request', listener)
    for (const request of waiting.splice(0)) void listener(...request)
  }
  server.once('error', reject)
  server.listen(port, hostname, () => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port.')
    resolve({ port: address.port, answerWith, stop: (graceMs = 10_000) => stop(server, graceMs) })
  })
  return promise
}

/** Answers a request that did not reach the application. */
function errorHandler(error: unknown): Response {
  const requestId = randomUUID()
  const { status, headers, body } = error instanceof RequestError ? malformedRequest() : internalError(requestId)
  return new Response(JSON.stringify(body), { status, headers: { ...headersOfAnswer(requestId), ...json, ...headers } })
}

const malformedRequest = (): Refusal =>
  refusalOf(new DomainError('VALIDATION_ERROR', 'The target of the request or its Host header is malformed.'))

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise(resolve => {
    const forced = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(forced)
      resolve()
    })
    server.closeIdleConnections()
  })
}

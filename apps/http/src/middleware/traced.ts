import { maskKeys } from '@specboard/contract'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { HttpEnv } from '../http-env.ts'
import { probePaths } from './probe-paths.ts'

/** The attributes of a request in a trace. */
export interface TracedRequest {
  readonly method: string
  /** Without the query, and with keys masked. */
  readonly path: string
  readonly header: (name: string) => string | undefined
}

/** The outcome of a request. */
export interface TracedAnswer {
  readonly status: number
  /** The pattern of its path. */
  readonly route: string
  readonly requestId: string
  readonly agentId: string | undefined
}

/** Makes a span of each request, as part of the caller's trace if the request names one (access 13). */
export interface Tracing {
  request(request: TracedRequest, answer: () => Promise<TracedAnswer>): Promise<void>
}

/** Frequent requests by monitors and load balancers are not worth tracing. */
const untraced: ReadonlySet<string> = new Set([...probePaths, '/metrics'])

/** Passes requests to the tracer. */
export const traced =
  (tracing: Tracing): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    if (untraced.has(c.req.path)) return next()
    const { method, path } = c.req
    return tracing.request({ method, path: maskKeys(path), header: name => c.req.header(name) }, async () => {
      await next()
      return {
        status: c.res.status,
        route: routePath(c, -1),
        requestId: c.get('requestId'),
        agentId: c.get('agentId'),
      }
    })
  }

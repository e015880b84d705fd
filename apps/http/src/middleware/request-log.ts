import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { HttpEnv } from '../http-env.ts'

/** Logs a line per request, never with its query, which may hold a key. Hono's own logger writes text to stdout. */
export const requestLog =
  (log: Logger): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const started = performance.now()
    await next()
    log.info({
      request_id: c.get('requestId'),
      agent: c.get('agentId'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 100) / 100,
    })
  }

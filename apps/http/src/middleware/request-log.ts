import { maskKeys } from '@specboard/contract'
import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { HttpEnv } from '../http-env.ts'

/**
 * Logs each request as one line of JSON, without the query, which may contain a key. Hono's `logger` writes plain text
 * that includes the query.
 */
export const requestLog =
  (log: Logger): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const started = performance.now()
    await next()
    log.info({
      request_id: c.get('requestId'),
      agent: c.get('agentId'),
      method: c.req.method,
      path: maskKeys(c.req.path),
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 100) / 100,
    })
  }

import { maskKeys } from '@specboard/contract'
import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { HttpContext, HttpEnv } from '../http-env.ts'
import { addressOf } from './address.ts'
import { probePaths } from './probe-paths.ts'

/** The duration above which a call is always logged, ms. */
const slowMs = 1_000

/** Maximum number of characters of a user agent that are logged. */
const maxAgentCharacters = 256

/**
 * Logs requests as one line of JSON each, without the query, which may contain a key: those that fail with 5xx as
 * errors, those that take more than a second, unless they were asked to wait, and with `all` every other one too. The
 * reason for which probes are refused is logged once, when the problem begins (access 13). Hono's `logger` writes plain
 * text that includes the query.
 */
export const requestLog =
  (log: Logger, { all }: { readonly all: boolean }): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const started = performance.now()
    await next()
    const ms = performance.now() - started
    if (c.res.status >= 500) {
      // The fault is already in the log, with its stack trace.
      const isLogged = c.get('isReported') || probePaths.has(c.req.path)
      if (all || !isLogged) log.error(entryOf(c, ms), 'failed')
    } else if (all) log.info(entryOf(c, ms))
    else if (ms > slowMs && c.req.query('wait_ms') === undefined) log.info(entryOf(c, ms), 'slow')
  }

const entryOf = (c: HttpContext, ms: number) => ({
  request_id: c.get('requestId'),
  agent: c.get('agentId'),
  address: addressOf(c),
  user_agent: c.req.header('user-agent')?.slice(0, maxAgentCharacters),
  method: c.req.method,
  path: maskKeys(c.req.path),
  status: c.res.status,
  ms: Math.round(ms * 100) / 100,
})

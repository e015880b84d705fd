import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { requestId as honoRequestId } from 'hono/request-id'
import type { HttpEnv } from '../http-env.ts'

const wellFormed = /^[\w.-]{1,128}$/

/**
 * Gives every request its id: the caller's own `X-Request-Id` where that is well-formed, else a new one. Hono
 * has another rule for the caller's, which refuses a dot and takes `=`; so it is told of no header.
 * `answer-headers.ts` puts the id on the answer.
 */
export const requestId: MiddlewareHandler<HttpEnv> = honoRequestId({
  headerName: '',
  generator: c => {
    const own = c.req.header('x-request-id')
    return own !== undefined && wellFormed.test(own) ? own : randomUUID()
  },
})

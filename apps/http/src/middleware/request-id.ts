import { randomUUID } from 'node:crypto'
import { maskKeys } from '@specboard/contract'
import type { MiddlewareHandler } from 'hono'
import { requestId as honoRequestId } from 'hono/request-id'
import type { HttpEnv } from '../http-env.ts'

const wellFormed = /^[\w.-]{1,128}$/

/**
 * Gives every request an id: the caller's own `X-Request-Id` if it is well-formed and not a key, otherwise a new one.
 * Hono's rule for the caller's id differs (it refuses a dot and allows `=`), so Hono is given no header name and the
 * generator reads the header. `answer-headers.ts` puts the id on the answer.
 */
export const requestId: MiddlewareHandler<HttpEnv> = honoRequestId({
  headerName: '',
  generator: c => {
    const own = c.req.header('x-request-id')
    return own !== undefined && wellFormed.test(own) && maskKeys(own) === own ? own : randomUUID()
  },
})

import { DomainError } from '@specboard/domain'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit as honoBodyLimit } from 'hono/body-limit'
import type { HttpEnv } from '../http-env.ts'

/** Maximum size of a JSON body in bytes (general, Errors). */
export const maxBodyBytes = 8 << 20

function tooLarge(): never {
  throw new DomainError('PAYLOAD_TOO_LARGE', 'A JSON body has at most 8 MiB.', { max_bytes: maxBodyBytes })
}

/** Hono's middleware, which counts the bytes of a body while it arrives. */
const countedLimit: MiddlewareHandler<HttpEnv> = honoBodyLimit({ maxSize: maxBodyBytes, onError: tooLarge })

/**
 * Refuses a body that is too large; if the request states its length, without reading it. Hono's middleware checks the
 * stated length too, but it first creates a web stream of the body, which costs a small write 100 µs.
 * @throws DomainError PAYLOAD_TOO_LARGE
 */
export const bodyLimit: MiddlewareHandler<HttpEnv> = (c, next) => {
  const stated = c.req.header('content-length')
  if (stated === undefined) return countedLimit(c, next)
  return Number(stated) > maxBodyBytes ? tooLarge() : next()
}

import { DomainError } from '@specboard/domain'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit as honoBodyLimit } from 'hono/body-limit'
import type { HttpEnv } from '../http-env.ts'

/** The most bytes of a JSON body (general, Errors). */
export const maxBodyBytes = 8 << 20

function tooLarge(): never {
  throw new DomainError('PAYLOAD_TOO_LARGE', 'A JSON body has at most 8 MiB.', { max_bytes: maxBodyBytes })
}

/** Hono's own, which counts a body while it arrives. */
const countedLimit: MiddlewareHandler<HttpEnv> = honoBodyLimit({ maxSize: maxBodyBytes, onError: tooLarge })

/**
 * Refuses a body that is too large, before it is read where its length was said. Such a one Hono would refuse as
 * well, but it asks for the body as a web stream first, which takes as long as half of a small write (100 us).
 * @throws DomainError PAYLOAD_TOO_LARGE
 */
export const bodyLimit: MiddlewareHandler<HttpEnv> = (c, next) => {
  const said = c.req.header('content-length')
  if (said === undefined) return countedLimit(c, next)
  return Number(said) > maxBodyBytes ? tooLarge() : next()
}

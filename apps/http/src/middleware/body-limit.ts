import { DomainError } from '@specboard/domain'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit as honoBodyLimit } from 'hono/body-limit'
import type { HttpEnv } from '../http-env.ts'

/** The most bytes of a JSON body (general, Errors). */
export const maxBodyBytes = 8 << 20

const tooLarge = () =>
  new DomainError('PAYLOAD_TOO_LARGE', 'A JSON body has at most 8 MiB.', { max_bytes: maxBodyBytes })

/**
 * Refuses a body that is too large, before it is read where its length was said.
 * @throws DomainError PAYLOAD_TOO_LARGE
 */
export const bodyLimit: MiddlewareHandler<HttpEnv> = honoBodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw tooLarge()
  },
})

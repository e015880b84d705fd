import { type Caller, DomainError, type Service, tooManyCalls } from '@specboard/domain'
import type { MiddlewareHandler } from 'hono'
import { type HttpContext, type HttpEnv, nodeOf } from '../http-env.ts'
import type { TokenBuckets } from '../limits/token-buckets.ts'
import type { WrongKeys } from '../limits/wrong-keys.ts'

/** The key of a request, from the first of the three forms that is present (access 1). */
export function keyOf({ req }: HttpContext): string | undefined {
  const authorization = /^bearer(?:\s+(.*))?$/i.exec(req.header('authorization') ?? '')
  if (authorization !== null) return authorization[1]?.trim() ?? ''
  return req.header('x-api-key') ?? req.query('api_key')
}

/** Limits on the callers of keys. */
export interface KeyLimits {
  /** Counts wrong keys by address; undefined where none are counted. */
  readonly wrongKeys: WrongKeys | undefined
  /** The calls that each key may make. */
  readonly calls: TokenBuckets
}

/** The address that a request came from; empty for one that was made in this process. */
export const addressOf = (c: HttpContext): string => nodeOf(c).incoming?.socket.remoteAddress ?? ''

/**
 * Looks up the agent of the key before anything else about the request is revealed: without a key, nobody learns which
 * paths the API has. Hono's `bearer-auth` supports only one of the three forms, and its refusals differ by cause.
 * @throws DomainError UNAUTHORIZED
 */
export const key =
  (service: Pick<Service, 'authenticate'>, { wrongKeys, calls }: KeyLimits): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    let caller: Caller
    try {
      caller = await service.authenticate(keyOf(c))
    } catch (error) {
      if (isUnauthorized(error)) await wrongKeys?.refused(addressOf(c))
      throw error
    }
    const waitMs = calls.take(caller.id)
    if (waitMs > 0) throw tooManyCalls(waitMs)
    c.set('caller', caller)
    c.set('agentId', caller.id)
    return next()
  }

const isUnauthorized = (error: unknown): boolean => error instanceof DomainError && error.status === 401

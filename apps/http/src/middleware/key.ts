import { type Caller, DomainError, type Service, tooManyCalls } from '@specboard/domain'
import type { MiddlewareHandler } from 'hono'
import type { HttpContext, HttpEnv } from '../http-env.ts'
import type { TokenBuckets } from '../limits/token-buckets.ts'
import type { WrongKeys } from '../limits/wrong-keys.ts'
import { cookieHeader, halvesOf, isOwnOrigin } from '../sessions/cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { addressOf } from './address.ts'

/** The key of a request, from the first of the three forms that is present (access 1). */
export function keyOf({ req }: HttpContext): string | undefined {
  const authorization = req.header('authorization') ?? ''
  if (/^bearer(?=\s|$)/i.test(authorization)) return authorization.slice('bearer'.length).trim()
  return req.header('x-api-key') ?? req.query('api_key')
}

/** Limits on callers with keys. */
export interface KeyLimits {
  /** Counts wrong keys by address; undefined if none are counted. */
  readonly wrongKeys: WrongKeys | undefined
  /** The calls that each key may make. */
  readonly calls: TokenBuckets
}

/**
 * Looks up the agent of the key before anything else about the request is revealed: without a key, nobody learns which
 * paths the API has. Hono's `bearer-auth` supports only one of the three forms, and its refusals differ by cause. A
 * request without a key may come from a page of the service whose person is signed in (web 1).
 * @throws DomainError UNAUTHORIZED
 */
export const key =
  (
    service: Pick<Service, 'authenticate'>,
    { wrongKeys, calls }: KeyLimits,
    sessions?: Pick<Sessions, 'find'>,
  ): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    let caller: Caller
    let renewed: { readonly token: string; readonly lastsMs: number } | undefined
    try {
      const apiKey = keyOf(c)
      const session = apiKey === undefined ? await sessionOf(c, sessions) : undefined
      caller = session?.caller ?? (await service.authenticate(apiKey))
      if (session?.renewed !== undefined) renewed = { token: session.renewed, lastsMs: session.session.lastsMs }
      if (session !== undefined) c.set('origin', 'web')
    } catch (error) {
      if (isUnauthorized(error)) await wrongKeys?.refused(addressOf(c))
      throw error
    }
    const waitMs = calls.take(caller.id)
    if (waitMs > 0) throw tooManyCalls(waitMs)
    c.set('caller', caller)
    c.set('agentId', caller.id)
    await next()
    if (renewed !== undefined) c.res.headers.append('set-cookie', cookieHeader(c, renewed.token, renewed.lastsMs))
  }

function sessionOf(c: HttpContext, sessions: Pick<Sessions, 'find'> | undefined) {
  if (sessions === undefined) return undefined
  const halves = halvesOf(c)
  return halves === undefined || !isOwnOrigin(c) ? undefined : sessions.find(halves)
}

const isUnauthorized = (error: unknown): boolean => error instanceof DomainError && error.status === 401

/** Counts the refusal of a call without a key as a wrong key: the credential was in its body. */
export const unkeyed =
  (wrongKeys: WrongKeys | undefined): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    await next()
    if (c.res.status === 401) await wrongKeys?.refused(addressOf(c))
  }

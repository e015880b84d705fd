import type { Service } from '@specboard/domain'
import type { MiddlewareHandler } from 'hono'
import type { HttpContext, HttpEnv } from '../http-env.ts'

/** The key of a request: the first of the three forms that is present (access 1). */
export function keyOf({ req }: HttpContext): string | undefined {
  const authorization = /^bearer(?:\s+(.*))?$/i.exec(req.header('authorization') ?? '')
  if (authorization !== null) return authorization[1]?.trim() ?? ''
  return req.header('x-api-key') ?? req.query('api_key')
}

/**
 * Finds the agent of the key before anything else is said about a request: nobody without a key learns which
 * paths of the API there are. Hono's `bearer-auth` knows one of the three forms, and tells its refusals apart.
 * @throws DomainError UNAUTHORIZED
 */
export const key =
  (service: Pick<Service, 'authenticate'>): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const caller = await service.authenticate(keyOf(c))
    c.set('caller', caller)
    c.set('agentId', caller.id)
    return next()
  }

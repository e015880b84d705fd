import type { Service } from '@specboard/domain'
import type { MiddlewareHandler } from 'hono'
import type { HttpContext, HttpEnv } from '../http-env.ts'

/** The key of a request, from the first of the three forms that is present (access 1). */
export function keyOf({ req }: HttpContext): string | undefined {
  const authorization = /^bearer(?:\s+(.*))?$/i.exec(req.header('authorization') ?? '')
  if (authorization !== null) return authorization[1]?.trim() ?? ''
  return req.header('x-api-key') ?? req.query('api_key')
}

/**
 * Looks up the agent of the key before anything else about the request is revealed: without a key, nobody learns which
 * paths the API has. Hono's `bearer-auth` supports only one of the three forms, and its refusals differ by cause.
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

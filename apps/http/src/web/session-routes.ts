import { features, issueItems } from '@specboard/contract'
import { DomainError, InvalidInput, unauthorized } from '@specboard/domain'
import { z } from 'zod'
import { answer, json } from '../answers.ts'
import type { HttpApp, HttpContext } from '../http-env.ts'
import type { WrongKeys } from '../limits/wrong-keys.ts'
import { addressOf } from '../middleware/address.ts'
import { withBody } from '../received-body.ts'
import { cookieHeader, halvesOf, isForeign, isOwnOrigin } from '../sessions/cookie.ts'
import type { Begun, Sessions, Visitor } from '../sessions/sessions.ts'

/** The most that the body of a sign-in has, bytes (walls 4). */
const maxSignInBytes = 2_048

const Key = z.object({ key: z.string().max(1_000) })
const Token = z.object({ token: z.string().max(1_000) })
const Accepted = Token.extend({ name: features.agents.create_agent.body.shape.name })

/**
 * Adds the routes by which a browser signs in and out (web 1). Whoever is refused is counted as a wrong key is
 * (trust 1).
 */
export function addSessionRoutes(app: HttpApp, sessions: Sessions, wrongKeys: WrongKeys | undefined): void {
  const signsIn =
    <Body>(schema: z.ZodType<Body>, by: (body: Body, c: HttpContext) => Promise<Begun>) =>
    async (c: HttpContext) => {
      const begun = await counted(c, async () => {
        if (isForeign(c)) throw foreign()
        return by(parsed(schema, await bodyOf(c)), c)
      })
      return signedIn(c, begun)
    }
  app.post(
    '/web/session',
    signsIn(Key, ({ key }, c) => sessions.byKey(key, visitorOf(c))),
  )
  app.post(
    '/web/session/link',
    signsIn(Token, ({ token }, c) => sessions.byLink(token, visitorOf(c))),
  )
  app.post(
    '/web/session/invitation',
    signsIn(Accepted, ({ token, name }, c) =>
      sessions.byInvitation(token, name, {
        halves: isOwnOrigin(c) ? halvesOf(c) : undefined,
        visitor: visitorOf(c),
      }),
    ),
  )
  app.post('/web/invitation', async c => {
    const shown = await counted(c, async () => {
      if (isForeign(c)) throw foreign()
      const { token } = parsed(Token, await bodyOf(c))
      return sessions.shownInvitation(token)
    })
    return answer(c, 200, { ...json, ...noStore }, JSON.stringify(shown))
  })
  app.get('/web/session', async c => {
    const halves = isOwnOrigin(c) ? halvesOf(c) : undefined
    const found = halves && (await sessions.find(halves))
    if (found === undefined) {
      await wrongKeys?.refused(addressOf(c))
      throw unauthorized()
    }
    const { caller, session, renewed } = found
    const shown = {
      agent_id: caller.id,
      agent_name: caller.name,
      kind: caller.kind,
      via: session.via,
      provider: session.provider,
      present: caller.present,
      expires_at: new Date(session.expiresAt).toISOString(),
    }
    const cookie = renewed === undefined ? {} : { 'set-cookie': cookieHeader(c, renewed, session.lastsMs) }
    return answer(c, 200, { ...json, ...noStore, ...cookie }, JSON.stringify(shown))
  })
  app.delete('/web/session', async c => {
    if (!isOwnOrigin(c)) throw foreign()
    const halves = halvesOf(c)
    if (halves !== undefined && !(await sessions.belongTogether(halves))) {
      await wrongKeys?.refused(addressOf(c))
      throw unauthorized()
    }
    const session = halves && (await sessions.find(halves))
    if (session !== undefined) await sessions.end(session)
    return answer(c, 204, { ...noStore, 'set-cookie': cookieHeader(c, '', 0) }, null)
  })

  /** Whoever is refused, for whatever reason, is counted as a wrong key is (walls 4). */
  async function counted<Answer>(c: HttpContext, signIn: () => Promise<Answer>): Promise<Answer> {
    try {
      return await signIn()
    } catch (error) {
      const isRefusal = error instanceof InvalidInput || (error instanceof DomainError && error.status < 500)
      if (isRefusal) await wrongKeys?.refused(addressOf(c))
      if (error instanceof DomainError && error.status === 401) await sessions.refused(addressOf(c))
      throw error
    }
  }
}

const bodyOf = (c: HttpContext): Promise<string> =>
  withBody(c, maxSignInBytes, async bytes => Buffer.from(bytes).toString())

function parsed<Body>(schema: z.ZodType<Body>, text: string): Body {
  const value = jsonOf(text)
  const { data, error } = schema.safeParse(value)
  if (error !== undefined) throw new InvalidInput(issueItems('body', schema, error.issues, undefined))
  return data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const noStore = { 'cache-control': 'no-store' }

/** From where a request comes. */
const visitorOf = (c: HttpContext): Visitor => ({ address: addressOf(c), userAgent: c.req.header('user-agent') ?? '' })

function signedIn(c: HttpContext, { caller, session, token, half }: Begun): Response {
  const expires_at = new Date(session.expiresAt).toISOString()
  const headers = { ...json, ...noStore, 'set-cookie': cookieHeader(c, token, session.lastsMs) }
  return answer(c, 200, headers, JSON.stringify({ agent_id: caller.id, agent_name: caller.name, expires_at, half }))
}

const foreign = () => new DomainError('FORBIDDEN', 'Only a page of this service may sign in or out here.')

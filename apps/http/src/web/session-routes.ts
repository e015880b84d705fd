import { features } from '@specboard/contract'
import { DomainError, InvalidInput, unauthorized } from '@specboard/domain'
import { z } from 'zod'
import { answer, json } from '../answers.ts'
import type { HttpApp, HttpContext } from '../http-env.ts'
import type { WrongKeys } from '../limits/wrong-keys.ts'
import { addressOf } from '../middleware/address.ts'
import { cookieHeader, halvesOf, isForeign, isOwnOrigin } from '../sessions/cookie.ts'
import type { NewSession, Sessions } from '../sessions/sessions.ts'
import type { Providers } from '../sign-in/providers.ts'
import { foreign, noStore, parsedBody, visitorOf } from './session-answers.ts'

const Key = z.object({ key: z.string().max(1_000) })
const Address = z.object({ email: z.email().max(320) })
const Token = z.object({ token: z.string().max(1_000) })
const Accepted = Token.extend({ name: features.agents.create_agent.body.shape.name.optional() })

/** What the sign-in routes need. */
export interface SignInParts {
  readonly sessions: Sessions
  /** Undefined if no provider is set up. */
  readonly providers: Providers | undefined
  readonly wrongKeys: WrongKeys | undefined
}

/** Adds the routes with which a browser signs in and out (web 1). A refusal is counted like a wrong key (trust 1). */
export function addSessionRoutes(app: HttpApp, { sessions, providers, wrongKeys }: SignInParts): void {
  const signsIn =
    <Body>(schema: z.ZodType<Body>, by: (body: Body, c: HttpContext) => Promise<NewSession>) =>
    async (c: HttpContext) => {
      const newSession = await counted(c, async () => {
        if (isForeign(c)) throw foreign()
        return by(await parsedBody(c, schema), c)
      })
      return signedIn(c, newSession)
    }
  app.post(
    '/web/session',
    signsIn(Key, ({ key }, c) => sessions.byKey(key, visitorOf(c))),
  )
  app.post(
    '/web/session/link',
    signsIn(Token, ({ token }, c) => sessions.byLink(token, visitorOf(c))),
  )
  if (sessions.invites) {
    app.post(
      '/web/session/invitation',
      signsIn(Accepted, ({ token, name }, c) =>
        sessions.byInvitation(token, name, {
          halves: isOwnOrigin(c) ? halvesOf(c) : undefined,
          visitor: visitorOf(c),
          hasProviders: providers !== undefined,
        }),
      ),
    )
    app.post('/web/invitation', async c => {
      const invitation = await counted(c, async () => {
        if (isForeign(c)) throw foreign()
        const { token } = await parsedBody(c, Token)
        return { ...(await sessions.shownInvitation(token)), providers: providers?.choices ?? [] }
      })
      return answer(c, 200, { ...json, ...noStore }, JSON.stringify(invitation))
    })
  }
  if (sessions.mailsLinks)
    app.post('/web/session/mail', async c => {
      if (isForeign(c)) throw foreign()
      const { email } = await parsedBody(c, Address)
      sessions.mailLink(email, visitorOf(c))
      return answer(c, 202, noStore, null)
    })
  app.get('/web/sign-in', c => {
    const methods = { providers: providers?.choices ?? [], key: sessions.takesKeys, mail: sessions.mailsLinks }
    return answer(c, 200, { ...json, ...noStore }, JSON.stringify(methods))
  })
  app.get('/web/session', async c => {
    const halves = isOwnOrigin(c) ? halvesOf(c) : undefined
    const found = halves && (await sessions.find(halves))
    if (found === undefined) {
      await wrongKeys?.refused(addressOf(c))
      throw unauthorized()
    }
    const { caller, session, renewed } = found
    const summary = {
      agent_id: caller.id,
      agent_name: caller.name,
      kind: caller.kind,
      via: session.via,
      provider: session.provider,
      present: caller.present,
      expires_at: new Date(session.expiresAt).toISOString(),
    }
    const cookie = renewed === undefined ? {} : { 'set-cookie': cookieHeader(c, renewed, session.lastsMs) }
    return answer(c, 200, { ...json, ...noStore, ...cookie }, JSON.stringify(summary))
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
    const headers = { ...noStore, 'set-cookie': cookieHeader(c, '', 0) }
    const provider = c.req.query('provider') === '1' ? session?.session.provider : undefined
    const url = provider ? await providers?.signOutUrl(provider) : undefined
    if (url === undefined) return answer(c, 204, headers, null)
    return answer(c, 200, { ...json, ...headers }, JSON.stringify({ url }))
  })

  /** A refusal, for whatever reason, is counted like a wrong key (walls 4). */
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

function signedIn(c: HttpContext, { caller, session, token, half }: NewSession): Response {
  const expires_at = new Date(session.expiresAt).toISOString()
  const headers = { ...json, ...noStore, 'set-cookie': cookieHeader(c, token, session.lastsMs) }
  return answer(c, 200, headers, JSON.stringify({ agent_id: caller.id, agent_name: caller.name, expires_at, half }))
}

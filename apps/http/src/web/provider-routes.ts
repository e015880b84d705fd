import { DomainError, requirePresentPerson, unauthorized } from '@specboard/domain'
import { z } from 'zod'
import { answer, json } from '../answers.ts'
import { basePathOf } from '../base-path.ts'
import type { HttpApp, HttpContext } from '../http-env.ts'
import { MinuteCounts } from '../limits/minute-counts.ts'
import type { WrongKeys } from '../limits/wrong-keys.ts'
import { addressOf } from '../middleware/address.ts'
import { withBody } from '../received-body.ts'
import { cookieHeader, halvesOf, isForeign, isOwnOrigin } from '../sessions/cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { Attempts } from '../sign-in/attempts.ts'
import type { Providers } from '../sign-in/providers.ts'
import { foreign, noStore, parsedBody, visitorOf } from './session-answers.ts'

const Going = z.object({
  provider: z.string().max(32),
  return_to: z.string().max(1_000).default('/'),
  link: z.boolean().default(false),
  invitation: z.string().max(100).optional(),
})

/** How often one address may go to a provider in a minute (people 2.2): a whole office arrives at nine. */
const maxPerMinute = 120

/** The largest body in which a provider says that somebody signed out, bytes (people 7.1). */
const maxTokenBytes = 16_384

/**
 * Adds the routes with which a browser goes to a provider and comes back (people 2.2). The browser comes back from
 * another site, without the cookie of a session that it may have: what it wanted is encrypted in a separate cookie. A
 * provider also says here that somebody signed out there (people 2.4).
 */
export function addProviderRoutes(
  app: HttpApp,
  {
    providers,
    sessions,
    wrongKeys,
  }: { readonly providers: Providers; readonly sessions: Sessions; readonly wrongKeys: WrongKeys | undefined },
): void {
  const attempts = new Attempts(sessions.service)
  const counts = new MinuteCounts(() => performance.now())
  const signedOut = new MinuteCounts(() => performance.now())

  /** Who links an account: a person in a session that was started with a credential that only the person has. */
  async function linking(c: HttpContext) {
    const halves = isOwnOrigin(c) ? halvesOf(c) : undefined
    const found = halves && (await sessions.find(halves))
    if (found === undefined) throw unauthorized()
    requirePresentPerson(sessions.service, found.caller, 'a new account to sign in with')
    return found.caller
  }

  app.post('/web/session/oidc', async c => {
    if (isForeign(c)) throw foreign()
    counts.limit(addressOf(c), maxPerMinute)
    const { provider, return_to, link, invitation } = await parsedBody(c, Going)
    if (providers.named(provider) === undefined)
      throw new DomainError('VALIDATION_ERROR', `No provider here has the id "${provider}".`, { field: 'provider' })
    const caller = link ? await linking(c) : undefined
    const { url, attempt } = await providers.begin({ provider, return_to, invitation, linking: caller })
    const cookies = attempts.keep(c, attempt)
    return withCookies(answer(c, 200, { ...json, ...noStore }, JSON.stringify({ url })), cookies)
  })

  app.get('/web/session/oidc/:id/callback', async c => {
    const id = c.req.param('id')
    providerNamed(id)
    const { attempt, cookie } = attempts.take(c, c.req.query('state') ?? '', id)
    const stands = attempt?.link === undefined || (await sessions.stands(attempt.link.session))
    const signedIn =
      attempt === undefined || !stands
        ? { refusal: 'expired' as const }
        : await providers.finish(attempt, new URL(c.req.url).search)
    if ('refusal' in signedIn) {
      const { refusal } = signedIn
      if (refusal === 'expired' || refusal === 'refused') await wrongKeys?.refused(addressOf(c))
      await sessions.refused(addressOf(c), { provider: id, reason: refusal })
      return leading(c, `/sign-in?error=${refusal}`, [cookie])
    }
    const newSession = await sessions.byProvider(signedIn.personId, signedIn.at, visitorOf(c))
    const session = cookieHeader(c, newSession.token, newSession.session.lastsMs)
    return leading(c, `${attempt!.returnTo}#half=${newSession.half}`, [cookie, session])
  })

  app.post('/web/session/oidc/:id/logout', async c => {
    signedOut.limit(addressOf(c), maxPerMinute)
    const provider = providerNamed(c.req.param('id'))
    const form = await withBody(c, maxTokenBytes, async bytes => new URLSearchParams(Buffer.from(bytes).toString()))
    await providers.signedOut(provider, form.get('logout_token') ?? '').catch(async error => {
      if (error instanceof DomainError && error.code === 'VALIDATION_ERROR') await wrongKeys?.refused(addressOf(c))
      throw error
    })
    return answer(c, 200, noStore, null)
  })

  /** The provider with an id. */
  function providerNamed(id: string) {
    const provider = providers.named(id)
    if (provider !== undefined) return provider
    throw new DomainError('NOT_FOUND', 'There is no such provider here.', { entity_type: 'provider', entity_id: id })
  }
}

/** Redirects the browser to a page of this service. */
const leading = (c: HttpContext, path: string, cookies: readonly string[]): Response =>
  withCookies(answer(c, 303, { ...noStore, location: basePathOf(c) + path }, null), cookies)

function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

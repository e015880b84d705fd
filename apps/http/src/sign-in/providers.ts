/** Signing in at a provider: going there, and coming back with its answer (people 2.2). */
import { createHash } from 'node:crypto'
import {
  type Account,
  accountOf,
  type Caller,
  type Claims,
  DomainError,
  endSessionsAtProvider,
  groupsOf,
  type Outside,
  type Refusal,
  type Service,
  type SignedInBy,
  signInByAccount,
  UsedTickets,
} from '@specboard/domain'
import type { Configuration } from 'openid-client'
import type { AtProvider } from '../sessions/sessions.ts'
import { type Attempt, attemptLifeMs } from './attempts.ts'
import { OidcClients, type Provider } from './clients.ts'
import { logoutToken, refused } from './logout-tokens.ts'

/** What the service needs to know about its providers. */
export interface ProvidersOptions {
  readonly service: Service
  readonly providers: readonly Provider[]
  /** The origin at which people reach the service. */
  readonly publicUrl: string
  readonly outside: Outside
  /** Hosts of identity providers that are accepted at any network address, and without TLS. */
  readonly allowedHosts: readonly string[]
  readonly onFault: (error: unknown) => void
}

/** What somebody wants when they go to a provider. */
export interface ProviderVisit {
  readonly provider: string
  readonly return_to: string
  readonly invitation?: string | undefined
  /** Who to link the account to. */
  readonly linking?: Caller | undefined
}

/** Who is signed in, and how the provider knows it; or why nobody is. */
export type SignedInAt =
  | (Exclude<SignedInBy, { readonly refusal: Refusal }> & { readonly at: AtProvider })
  | { readonly refusal: Refusal }

/** The identity providers with which people sign in. */
export class Providers {
  /** As shown on the sign-in page. */
  readonly choices: readonly { readonly id: string; readonly name: string }[]
  readonly #options: ProvidersOptions
  readonly #clients: OidcClients
  readonly #used: UsedTickets

  constructor(options: ProvidersOptions) {
    this.#options = options
    this.choices = options.providers.map(({ id, name }) => ({ id, name }))
    this.#clients = new OidcClients(options.outside, options.allowedHosts, options.service.environment.clock)
    this.#used = new UsedTickets(options.service)
  }

  /** The provider with an id; undefined if there is none. */
  named(id: string): Provider | undefined {
    return this.#options.providers.find(provider => provider.id === id)
  }

  /** Where a provider sends the browser back to: one address for each, so that no answer is mistaken for another's. */
  redirectUri(id: string): string {
    return `${this.#options.publicUrl}/web/session/oidc/${id}/callback`
  }

  /**
   * Where the browser goes to sign in, and what it keeps until it returns.
   * @throws DomainError BUSY if the provider cannot be reached
   */
  async begin(going: ProviderVisit): Promise<{ readonly url: string; readonly attempt: Attempt }> {
    const provider = this.named(going.provider)!
    const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge, buildAuthorizationUrl } =
      await import('openid-client')
    const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
    const configuration = await this.#clients.of(provider).catch(error => {
      this.#options.onFault(error)
      throw new DomainError('BUSY', `${provider.name} cannot be reached. Try again, or sign in another way.`, {
        retry_after: 5,
      })
    })
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri(provider.id),
      scope: provider.scopes,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    const { linking, invitation, return_to } = going
    const session = linking?.proof?.session?.hash
    const link = linking && session !== undefined ? { personId: linking.id, session } : undefined
    const begunAt = this.#options.service.environment.clock()
    const attempt = { provider: provider.id, state, nonce, verifier, begunAt, link, invitation }
    return { url: url.href, attempt: { ...attempt, returnTo: this.#ownPath(return_to) } }
  }

  /** Who returns from a provider with the answer in the address. */
  async finish(attempt: Attempt, search: string): Promise<SignedInAt> {
    const provider = this.named(attempt.provider)!
    const { service, onFault } = this.#options
    const used = createHash('sha256').update(`sign-in ${attempt.state}`).digest('hex')
    if (!(await this.#used.use(used, attempt.begunAt + attemptLifeMs))) return { refusal: 'expired' }
    let account: Account
    let claims: Claims
    try {
      claims = await this.#claimsOf(provider, attempt, search)
      account = accountOf(provider, claims)
    } catch (error) {
      onFault(error)
      return { refusal: await refusalFor(error) }
    }
    const signedIn = await signInByAccount(service, provider, account, {
      linkTo: attempt.link?.personId,
      invitation: attempt.invitation,
    })
    if ('refusal' in signedIn) return signedIn
    const sid = typeof claims.sid === 'string' ? claims.sid : null
    return { ...signedIn, at: { id: provider.id, subject: account.subject, sid } }
  }

  /**
   * Ends the sessions of whoever signed out at a provider, by the token that it sends (people 2.4).
   * @throws DomainError VALIDATION_ERROR for a token that is wrong or was seen before; BUSY if the provider's keys
   * cannot be fetched
   */
  async signedOut(provider: Provider, rawToken: string): Promise<void> {
    const { service, onFault } = this.#options
    const { clock } = service.environment
    const keys = await this.#clients.keysOf(provider).catch(error => {
      onFault(error)
      throw new DomainError('BUSY', 'The keys of this provider cannot be fetched. Send the token again.', {
        retry_after: 5,
      })
    })
    const token = await logoutToken(rawToken, provider, { keys, clock })
    if (!(await token.use(this.#used))) throw refused('it was sent before')
    try {
      await endSessionsAtProvider(service, token.signedOut)
    } catch (error) {
      await token.release(this.#used)
      throw error
    }
  }

  /** The address at which somebody also signs out at a provider; undefined if it has no such page. */
  async signOutUrl(id: string): Promise<string | undefined> {
    const provider = this.named(id)
    if (provider === undefined) return undefined
    const { buildEndSessionUrl } = await import('openid-client')
    const configuration = await this.#clients.of(provider).catch(() => undefined)
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined
    return buildEndSessionUrl(configuration).href
  }

  async #claimsOf(provider: Provider, attempt: Attempt, search: string): Promise<Claims> {
    const { authorizationCodeGrant } = await import('openid-client')
    const configuration = await this.#clients.of(provider)
    const tokens = await authorizationCodeGrant(configuration, new URL(search, this.redirectUri(provider.id)), {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()! as Claims
    return lacks(claims, provider) ? completed(configuration, claims, tokens.access_token) : claims
  }

  /** A path of this service; `/` for any other address. */
  #ownPath(text: string): string {
    const { publicUrl } = this.#options
    if (!/^\/(?![/\\])/.test(text) || !URL.canParse(text, publicUrl)) return '/'
    const { origin, pathname, search } = new URL(text, publicUrl)
    // `/a/..//elsewhere` becomes a path that begins with two slashes, which would lead to another host.
    return origin === new URL(publicUrl).origin && !pathname.startsWith('//') ? `${pathname}${search}` : '/'
  }
}

/** Whether an ID token lacks claims that are checked or shown of an account. */
const lacks = (claims: Claims, { groups_claim, allowed_groups, group_presets }: Provider): boolean =>
  claims.name === undefined ||
  claims.email === undefined ||
  (allowed_groups.length + group_presets.length > 0 && groupsOf(claims, groups_claim).length === 0)

/**
 * Claims completed once with what the provider reports separately about the same account. Those in the signed token
 * take precedence.
 */
async function completed(configuration: Configuration, claims: Claims, accessToken: string): Promise<Claims> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims
  const { fetchUserInfo } = await import('openid-client')
  return { ...(await fetchUserInfo(configuration, accessToken, claims.sub)), ...claims }
}

/** The code for what went wrong: the provider refused or was unreachable, or its answer cannot be trusted. */
async function refusalFor(error: unknown): Promise<Refusal> {
  const { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } = await import('openid-client')
  const isOfProvider =
    error instanceof AuthorizationResponseError ||
    error instanceof ResponseBodyError ||
    error instanceof WWWAuthenticateChallengeError ||
    // There was no answer at all.
    (error instanceof TypeError && (error as { code?: unknown }).code === undefined) ||
    error instanceof DomainError
  return isOfProvider ? 'provider' : 'refused'
}

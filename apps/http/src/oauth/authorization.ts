/** The authorization of MCP clients, using a library (people 3). */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  AllowedHosts,
  type AskingClient,
  allowConnection,
  type Caller,
  type ConsentChoices,
  denyConnection,
  OauthClients,
  OauthRecords,
  type Outside,
  offeredChoices,
  type Service,
} from '@specboard/domain'
import type Provider from 'oidc-provider'
import type { Configuration } from 'oidc-provider'
import { adapterOf } from './adapter.ts'
import { ClientDocuments } from './client-documents.ts'
import { signingAlgorithms } from './documents.ts'
import { exchangeOf, type LibraryRequest } from './exchange.ts'
import { clientName, isLocalRedirect } from './registration.ts'

/** How clients are authorized. */
export interface AuthorizationOptions {
  readonly service: Service
  /** The origin at which people and clients reach the service. */
  readonly publicUrl: string
  readonly outside: Outside
  /** How long an access token is valid, minutes. */
  readonly accessMinutes: number
  /** How long a refresh token stays valid after another replaced it, seconds. */
  readonly graceSeconds: number
  /** Hosts whose metadata documents are accepted as clients; all if empty. */
  readonly clientHosts: readonly string[]
  /** Whether clients may register themselves. */
  readonly registers: boolean
  readonly onFault: (error: unknown) => void
}

const hour = 3_600
const day = 24 * hour

/** A question to one person in one browser. */
export interface ConsentQuestion {
  readonly client: AskingClient & {
    readonly redirect_host: string
    readonly loopback: boolean
    readonly verified: boolean
  }
  readonly scopes: readonly string[]
}

/** Authorizes clients. The library is loaded by the first request for it, and never before. */
export class Authorization {
  readonly options: AuthorizationOptions
  /** The resource of tokens, whichever form of the address a client sent. */
  readonly resource: string
  readonly clients: OauthClients
  readonly #records: OauthRecords
  readonly #documents: ClientDocuments
  #provider: Promise<Provider> | undefined

  constructor(options: AuthorizationOptions) {
    const { service, publicUrl, outside, clientHosts } = options
    this.options = options
    this.resource = `${publicUrl}/mcp`
    this.clients = new OauthClients(service)
    this.#records = new OauthRecords(service)
    const { clock } = service.environment
    this.#documents = new ClientDocuments({ clients: this.clients, outside, publicUrl, hosts: clientHosts, clock })
  }

  /** Lets the library answer a request. */
  async answer(request: LibraryRequest): Promise<Response> {
    const provider = await this.#loadProvider()
    const { req, res, answered } = exchangeOf(request)
    await provider.callback()(req, res)
    return answered
  }

  /** The question to a person; undefined if it is not open in this browser. */
  async question(request: LibraryRequest, id: string): Promise<ConsentQuestion | undefined> {
    const details = await this.#interaction(request, id)
    if (details === undefined) return undefined
    const { client_id: clientId, redirect_uri, scope } = details.params as Readonly<Record<string, string>>
    const client = await this.#clientOf(clientId!)
    const { host } = new URL(redirect_uri!)
    return {
      client: {
        ...client,
        redirect_host: host === '' ? new URL(redirect_uri!).protocol : host,
        loopback: isLocalRedirect(redirect_uri!),
        verified: client.host !== null,
      },
      scopes: scope!.split(' '),
    }
  }

  /** The choices that a person has for a client. */
  choices(person: Caller, clientId: string) {
    return offeredChoices(this.options.service, person, clientId)
  }

  /**
   * Lets a client act as an agent, as a person chose.
   * @returns where the client's browser goes next
   * @throws DomainError
   */
  async allow(
    request: LibraryRequest,
    { client, scopes }: ConsentQuestion,
    person: Caller,
    chosen: ConsentChoices,
  ): Promise<string> {
    const provider = await this.#loadProvider()
    const grantId = randomBytes(32).toString('base64url')
    const readOnly = chosen.read_only || !scopes.includes('write')
    const connection = await allowConnection(this.options.service, person, {
      client,
      chosen: { ...chosen, read_only: readOnly },
      grantId,
    })
    const grant = new provider.Grant({ accountId: connection.id, clientId: client.id })
    grant.jti = grantId
    grant.addResourceScope(this.resource, connection.scopes)
    await grant.save()
    await this.clients.used(client.id)
    const login = { accountId: connection.id, remember: false }
    return this.#finish(request, { login, consent: { grantId } })
  }

  /**
   * Refuses a client.
   * @returns where its browser goes next
   */
  async deny(request: LibraryRequest, { client }: ConsentQuestion, person: Caller): Promise<string> {
    await denyConnection(this.options.service, person, client)
    return this.#finish(request, { error: 'access_denied', error_description: 'The person said no.' })
  }

  async #finish(request: LibraryRequest, result: Parameters<Provider['interactionResult']>[2]): Promise<string> {
    const { req, res } = exchangeOf(request)
    const provider = await this.#loadProvider()
    return provider.interactionResult(req, res, result, { mergeWithLastSubmission: false })
  }

  async #interaction(request: LibraryRequest, id: string) {
    const provider = await this.#loadProvider()
    const { req, res } = exchangeOf(request)
    try {
      const details = await provider.interactionDetails(req, res)
      return details.uid === id && details.result === undefined ? details : undefined
    } catch (error) {
      if (error instanceof (await import('oidc-provider')).errors.SessionNotFound) return undefined
      throw error
    }
  }

  async #clientOf(id: string): Promise<AskingClient> {
    const isDocument = this.#documents.isDocument(id)
    const metadata = isDocument ? await this.#documents.find(id) : (await this.clients.find(id))?.metadata
    const host = isDocument ? new URL(id).host : null
    return { id, name: clientName(metadata?.client_name, 'A client'), host }
  }

  #loadProvider(): Promise<Provider> {
    this.#provider ??= this.#make()
    return this.#provider
  }

  async #make(): Promise<Provider> {
    const { default: Library, errors, interactionPolicy } = await import('oidc-provider')
    const { service, publicUrl, outside, accessMinutes, graceSeconds, registers, onFault } = this.options
    const { secretKey, clock } = service.environment
    const { Prompt, Check, base } = interactionPolicy
    const asks = new Check(
      'consent',
      'A person has to decide.',
      'login_required',
      ctx => ctx.oidc.result?.login === undefined,
    )
    const policy = base()
    for (const name of ['login', 'consent']) policy.remove(name)
    policy.add(new Prompt({ name: 'login', requestable: true }, asks))
    const adapter = adapterOf({
      records: this.#records,
      clients: this.clients,
      documents: this.#documents,
      graceMs: graceSeconds * 1_000,
      clock,
      usedBefore: async () => new errors.InvalidGrant('authorization code already consumed'),
    })
    const fetchOutside = outside.fetch(new AllowedHosts([]))
    const configuration: Configuration = {
      adapter,
      // Signs the ID tokens, which nobody gets.
      jwks: { keys: [signingKey()] },
      clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'client_secret_basic' },
      responseTypes: ['code'],
      scopes: ['read', 'write', 'offline_access'],
      clientAuthMethods: ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'],
      enabledJWA: { clientAuthSigningAlgValues: [...signingAlgorithms] },
      routes: {
        authorization: '/authorize',
        token: '/token',
        registration: '/register',
        revocation: '/revoke',
        jwks: '/.well-known/specboard-unused-jwks',
      },
      pkce: { required: () => true },
      ttl: {
        AccessToken: accessMinutes * 60,
        AuthorizationCode: 60,
        RefreshToken: 60 * day,
        Interaction: hour,
        Grant: 10 * 365 * day,
        Session: hour,
      },
      issueRefreshToken: async () => true,
      rotateRefreshToken: () => true,
      expiresWithSession: async () => false,
      findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
      interactions: {
        policy,
        url: (_, { uid }) => new URL(`${publicUrl}/connect/${uid}`).pathname,
      },
      cookies: {
        keys: [secretKey.derived('oauth cookies').toString('hex')],
        names: { session: unusedCookie, interaction: 'specboard_connect', resume: 'specboard_connect_back' },
        short: { httpOnly: true, sameSite: 'lax', signed: true },
      },
      features: {
        devInteractions: { enabled: false },
        userinfo: { enabled: false },
        rpInitiatedLogout: { enabled: false },
        registration: { enabled: registers, issueRegistrationAccessToken: false },
        revocation: {
          enabled: true,
          allowedPolicy: async (_, client, token) => {
            if (token.clientId !== client.clientId) return false
            if (token.kind !== 'AccessToken') return true
            // Only this token ends; the library would end everything from the same consent.
            await token.destroy()
            return false
          },
        },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => this.resource,
          useGrantedResource: () => true,
          getResourceServerInfo: (_, resource) => {
            if (resource !== this.resource) throw new errors.InvalidTarget(`resource must be ${this.resource}`)
            return {
              scope: 'read write',
              audience: this.resource,
              accessTokenFormat: 'opaque',
              accessTokenTTL: accessMinutes * 60,
            }
          },
        },
      },
      fetch: (url, request) => fetchOutside(String(url), request),
      renderError: (ctx, out) => {
        ctx.type = 'html'
        ctx.body = errorPage(out.error, out.error_description ?? '')
      },
    }
    const provider = new Library(publicUrl, configuration)
    provider.proxy = true
    provider.on('server_error', (_, error) => onFault(error))
    provider.use(async (ctx, next) => {
      await next()
      withoutSession(ctx)
    })
    return provider
  }
}

/** The cookie of the library's own sign-in, which is never set. */
const unusedCookie = 'specboard_connect_unused'

/** Removes the cookie of the library's own sign-in, which is not used, from an answer. */
function withoutSession(ctx: { response: { get(name: string): unknown }; res: ServerResponseLike }): void {
  const cookies = [ctx.response.get('set-cookie')].flat().filter(cookie => typeof cookie === 'string' && cookie !== '')
  const remaining = cookies.filter(cookie => !String(cookie).startsWith(unusedCookie)).map(String)
  if (remaining.length === cookies.length) return
  if (remaining.length === 0) ctx.res.removeHeader('set-cookie')
  else ctx.res.setHeader('set-cookie', remaining)
}

interface ServerResponseLike {
  setHeader(name: string, value: readonly string[]): unknown
  removeHeader(name: string): void
}

const signingKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'ES256',
})

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

const errorPage = (error: string, description: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Specboard</title></head><body><main><h1>This app cannot be connected</h1><p>${escaped(error)}: ${escaped(description)}</p><p>Close this window, and connect again from the app.</p></main></body></html>`

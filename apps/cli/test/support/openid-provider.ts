import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface AuthorizationRequest {
  readonly nonce: string
  readonly challenge: string
  readonly redirectUri: string
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What an answer of the provider says in place of the truth. */
export interface FalseAnswers {
  /** Claims of the ID token; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Members of the head of the ID token. */
  readonly head?: Readonly<Record<string, unknown>>
  /** Signs with a key that nobody knows. */
  readonly foreignKey?: boolean
  /** What /token answers in place of tokens. */
  readonly tokenError?: string
  /** Parameters with which the browser is sent back. */
  readonly back?: Readonly<Record<string, string>>
}

/** An OpenID Connect provider, which says whatever a test wants, even if it is not true. */
export class OpenIdProvider {
  readonly issuer: string
  /** Its claims about the next person who signs in. */
  claims: Readonly<Record<string, unknown>> = {}
  /** Claims that only its userinfo endpoint answers. */
  userinfo: Readonly<Record<string, unknown>> = {}
  lies: FalseAnswers = {}
  /** Bodies that its token endpoint received. */
  readonly received: URLSearchParams[] = []
  readonly #server: Server
  readonly #key: KeyObject
  readonly #publicKey: KeyObject
  readonly #codes = new Map<string, AuthorizationRequest>()

  private constructor(server: Server) {
    this.#server = server
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    this.#key = privateKey
    this.#publicKey = publicKey
    server.on('request', async (request, response) => {
      const { status = 200, body } = await this.#answer(request)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  }

  static async start(): Promise<OpenIdProvider> {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return new OpenIdProvider(server)
  }

  /** The member of a sign-in file for it. */
  member(more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
    return { id: 'corp', name: 'Corp', issuer: this.issuer, client_id: 'specboard', ...more }
  }

  /** The query with which the provider sends the browser back after it was asked at this address. */
  answer(address: string): string {
    const query = new URL(address).searchParams
    const code = createHash('sha256').update(`${address}${this.#codes.size}`).digest('base64url')
    this.#codes.set(code, {
      nonce: query.get('nonce') ?? '',
      challenge: query.get('code_challenge') ?? '',
      redirectUri: query.get('redirect_uri') ?? '',
    })
    const back = { code, state: query.get('state') ?? '', iss: this.issuer, ...this.lies.back }
    return `?${new URLSearchParams(back)}`
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise(resolve => this.#server.close(() => resolve()))
  }

  async #answer(request: IncomingMessage): Promise<{ status?: number; body: unknown }> {
    const { issuer } = this
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return {
          body: {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            userinfo_endpoint: `${issuer}/userinfo`,
            end_session_endpoint: `${issuer}/end`,
            jwks_uri: `${issuer}/jwks`,
            response_types_supported: ['code'],
            id_token_signing_alg_values_supported: ['RS256'],
            authorization_response_iss_parameter_supported: true,
          },
        }
      case '/jwks':
        return {
          body: { keys: [{ ...this.#publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] },
        }
      case '/userinfo':
        return { body: { sub: this.claims.sub, ...this.userinfo } }
      default:
        return this.#tokens(new URLSearchParams(await text(request)))
    }
  }

  #tokens(parameters: URLSearchParams): { status?: number; body: unknown } {
    this.received.push(parameters)
    const { tokenError, claims, head, foreignKey = false } = this.lies
    const grant = this.#codes.get(parameters.get('code') ?? '')
    this.#codes.delete(parameters.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(parameters.get('code_verifier') ?? '')
      .digest('base64url')
    const isWrong = grant?.challenge !== challenge || grant.redirectUri !== parameters.get('redirect_uri')
    const error = tokenError ?? (isWrong ? 'invalid_grant' : undefined)
    if (error !== undefined) return { status: 400, body: { error } }
    const now = Math.floor(Date.now() / 1_000)
    const payload = {
      iss: this.issuer,
      aud: 'specboard',
      iat: now,
      exp: now + 300,
      nonce: grant!.nonce,
      ...this.claims,
      ...claims,
    }
    const id_token = this.signed(payload, { head: head ?? {}, foreignKey })
    return { body: { access_token: 'a', token_type: 'Bearer', id_token } }
  }

  /** A token of the provider. */
  signed(payload: object, { head, foreignKey = false }: Pick<FalseAnswers, 'head' | 'foreignKey'> = {}): string {
    const signed = `${encoded({ alg: 'RS256', kid: 'k', ...head })}.${encoded(payload)}`
    const key = foreignKey ? generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey : this.#key
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
  }
}

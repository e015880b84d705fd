import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** How a token differs from one that its issuer gives. */
export interface Forged {
  /** Members of its head. */
  readonly head?: Readonly<Record<string, unknown>>
  /** Signs with a key that the issuer does not publish. */
  readonly foreignKey?: boolean
  /** Claims in place of its own; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** An issuer of CI tokens in the form of GitHub's, on loopback. */
export class CiIssuer {
  readonly issuer: string
  /** How often its keys were asked for. */
  asked = 0
  /** Answers with this status in place of its keys. */
  failsWith: number | undefined
  readonly #server: Server
  #key: CryptoKey
  #id = 'first'
  #published: object

  private constructor(server: Server, key: CryptoKey, published: object) {
    this.#server = server
    this.#key = key
    this.#published = published
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', ({ url }, response) => {
      const body =
        url === '/.well-known/openid-configuration'
          ? { issuer: this.issuer, jwks_uri: `${this.issuer}/keys` }
          : this.keys
      if (url === '/keys') this.asked++
      response.writeHead(this.failsWith ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  }

  static async start(): Promise<CiIssuer> {
    // A tool that calls operations ends without stopping it.
    const server = createServer().unref()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    return new CiIssuer(server, privateKey, await exportJWK(publicKey))
  }

  /** Its set of keys. */
  get keys() {
    return { keys: [{ ...this.#published, kid: this.#id, use: 'sig', alg: 'ES256' }] }
  }

  /** Signs with another key from now on. */
  async renew(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    this.#key = privateKey
    this.#published = await exportJWK(publicKey)
    this.#id = `${this.#id}+`
  }

  /** The token of a job on the default branch, for a board. */
  async token(audience: string, { head = {}, foreignKey = false, claims = {} }: Forged = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    const payload: JWTPayload = {
      iss: this.issuer,
      aud: audience,
      iat: now,
      exp: now + 300,
      sub: 'repo:acme/shop:ref:refs/heads/main',
      repository: 'acme/shop',
      repository_id: '4711',
      sha: 'a'.repeat(40),
      ref: 'refs/heads/main',
      event_name: 'push',
      run_id: '9001',
      run_attempt: '1',
      workflow_ref: 'acme/shop/.github/workflows/test.yml@refs/heads/main',
      ...claims,
    }
    const key = foreignKey ? (await generateKeyPair('ES256')).privateKey : this.#key
    return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: this.#id, ...head }).sign(key)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }
}

import { createHash, randomBytes } from 'node:crypto'
import type { Person } from './person.ts'

/** Where a client was sent to, with the cookies that bind the browser. */
export interface AuthorizationAnswer {
  readonly answer: Response
  readonly location: string
  readonly cookie: string
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .filter(cookie => !/expires=Thu, 01 Jan 1970/i.test(cookie))
    .map(cookie => cookie.split(';')[0])
    .join('; ')

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
const read = async (answer: Response): Promise<{ status: number; headers: Headers; body: any }> => {
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** A client over MCP with the browser of its person, as tests drive them. */
export class OauthClient {
  readonly #url: string
  readonly #redirectUri: string
  readonly #verifier = randomBytes(32).toString('base64url')
  readonly state = randomBytes(8).toString('hex')
  id: string

  constructor(url: string, id = '', redirectUri = 'http://127.0.0.1:3334/callback') {
    this.#url = url
    this.id = id
    this.#redirectUri = redirectUri
  }

  async register(metadata: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const answer = await fetch(`${this.#url}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Client',
        redirect_uris: [this.#redirectUri],
        token_endpoint_auth_method: 'none',
        ...metadata,
      }),
    })
    this.id = ((await answer.json()) as { client_id: string }).client_id
  }

  /** Opens /authorize in the browser. */
  async ask(parameters: Readonly<Record<string, string | undefined>> = {}): Promise<AuthorizationAnswer> {
    const all = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.#redirectUri,
      state: this.state,
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...parameters,
    }
    const pairs = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    )
    return this.open(new URL(`${this.#url}/authorize?${new URLSearchParams(pairs)}`))
  }

  /** Opens an address of a client in the browser. */
  async open(address: URL): Promise<AuthorizationAnswer> {
    // A navigation from another site brings no cookie of a session.
    const headers = { 'sec-fetch-site': 'cross-site', accept: 'text/html' }
    const answer = await fetch(address, { redirect: 'manual', headers })
    return { answer, location: answer.headers.get('location') ?? '', cookie: cookiesOf(answer) }
  }

  #page({ cookie }: AuthorizationAnswer, person: Pick<Person, 'page'> | undefined): Record<string, string> {
    const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin', ...person?.page.headers }
    return { ...headers, cookie: [cookie, headers.cookie].filter(Boolean).join('; ') }
  }

  /** What the page of the consent shows. */
  async offered(authorization: AuthorizationAnswer, person: Pick<Person, 'page'> | undefined) {
    const address = new URL(`${authorization.location}/choice`, this.#url)
    return read(await fetch(address, { headers: this.#page(authorization, person) }))
  }

  /** What a person chooses there. */
  async choose(authorization: AuthorizationAnswer, person: Pick<Person, 'page'>, choice: unknown) {
    const headers = { ...this.#page(authorization, person), 'content-type': 'application/json' }
    const address = new URL(`${authorization.location}/choice`, this.#url)
    return read(await fetch(address, { method: 'POST', headers, body: JSON.stringify(choice) }))
  }

  /** The same; returns the address at which the browser comes back to the client. */
  async allowed(authorization: AuthorizationAnswer, person: Pick<Person, 'page'>, choice: unknown): Promise<URL> {
    const { status, body } = await this.choose(authorization, person, choice)
    if (status !== 200) throw new Error(`The choice was answered with ${status}: ${JSON.stringify(body)}`)
    const answer = await fetch(new URL(body.url, this.#url), {
      redirect: 'manual',
      headers: { cookie: authorization.cookie },
    })
    return new URL(answer.headers.get('location')!, this.#url)
  }

  post(path: string, parameters: Readonly<Record<string, string>>) {
    const body = new URLSearchParams({ client_id: this.id, ...parameters })
    return fetch(`${this.#url}${path}`, { method: 'POST', body }).then(read)
  }

  exchange(back: URL, parameters: Readonly<Record<string, string>> = {}) {
    return this.post('/token', {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: this.#redirectUri,
      code_verifier: this.#verifier,
      ...parameters,
    })
  }

  refresh(token: string) {
    return this.post('/token', { grant_type: 'refresh_token', refresh_token: token })
  }

  /** The tokens of a connection as a person chose it. */
  async connected(person: Pick<Person, 'page'>, choice: unknown) {
    const { status, body } = await this.exchange(await this.allowed(await this.ask(), person, choice))
    if (status !== 200) throw new Error(`/token answered ${status}: ${JSON.stringify(body)}`)
    return body as { access_token: string; refresh_token: string; scope: string }
  }
}

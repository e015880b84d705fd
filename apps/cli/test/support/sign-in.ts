import type { OpenIdProvider } from './openid-provider.ts'
import { Person } from './person.ts'
import type { World } from './world.ts'

const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

/** What a page requests to send somebody to a provider. */
export interface Going {
  readonly provider?: string
  readonly return_to?: string
  readonly link?: boolean
  readonly invitation?: string
}

/** A browser that signs somebody in at a provider. */
export class SignIn {
  readonly #world: World
  readonly #provider: OpenIdProvider

  constructor(world: World, provider: OpenIdProvider) {
    this.#world = world
    this.#provider = provider
  }

  send(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const request = { method: 'POST', headers: { ...own, ...headers }, body: JSON.stringify(body) }
    return fetch(`${this.#world.running.url}${path}`, request)
  }

  post(body: Going, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.send('/web/session/oidc', body, headers)
  }

  /** Goes to a provider; returns the address and the cookie. */
  async begin(going: Going, person?: Person) {
    const answer = await this.post(going, person?.page.headers)
    const { url } = (await answer.clone().json()) as { url: string }
    return { answer, url: new URL(url), cookie: cookiesOf(answer) }
  }

  /** Comes back from a provider. */
  back(id: string, search: string, cookie: string): Promise<Response> {
    const address = `${this.#world.running.url}/web/session/oidc/${id}/callback${search}`
    // The browser comes from another site: it says so, and sends no cookie of a session.
    return fetch(address, { redirect: 'manual', headers: { cookie, 'sec-fetch-site': 'cross-site' } })
  }

  /** The whole way, as whoever the provider says it is. */
  async through(going: Going & { readonly provider: string }, person?: Person) {
    const { url, cookie } = await this.begin(going, person)
    const answer = await this.back(going.provider, this.#provider.answer(url.href), cookie)
    const half = new URL(answer.headers.get('location') ?? '/', 'http://x').hash.slice('#half='.length)
    const session = { cookie: cookiesOf(answer), 'x-session-half': half }
    return { answer, person: half === '' ? undefined : Person.of(this.#world, session) }
  }
}

/** The cookies that an answer sets, as a request sends them. */
const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .filter(cookie => !cookie.includes('Max-Age=0'))
    .map(cookie => cookie.split(';')[0])
    .join('; ')

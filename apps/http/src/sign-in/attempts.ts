/** Attempts to sign in at a provider, which the browser keeps encrypted until it returns (people 2.2). */
import type { Service } from '@specboard/domain'
import { generateCookie, getCookie } from 'hono/cookie'
import { basePathOf } from '../base-path.ts'
import type { HttpContext } from '../http-env.ts'
import { isLoopbackHost } from '../sessions/cookie.ts'

/** A sign-in at a provider that is under way. */
export interface Attempt {
  readonly provider: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly returnTo: string
  /** ms since the epoch. */
  readonly begunAt: number
  /** The person to link the account to, and the session in which they asked for it. */
  readonly link?: { readonly personId: string; readonly session: string } | undefined
  /** The token of the invitation to accept. */
  readonly invitation?: string | undefined
}

/** How long somebody may spend at a provider, ms. */
export const attemptLifeMs = 10 * 60_000

/** Attempts that a browser keeps at once. */
const maxAttempts = 5

const path = '/web/session/oidc'
const prefix = 'specboard_oidc_'

/** The name of an attempt's cookie: part of its state, so that several can be distinguished. */
const nameOf = (state: string): string => `${prefix}${state.slice(0, 16).replaceAll(/[^\w-]/g, '')}`

/**
 * A cookie, removed by an empty value. It is sent when coming from another site: the way back is a navigation from
 * there.
 */
const cookie = (c: HttpContext, name: string, value: string): string =>
  generateCookie(name, value, {
    path: basePathOf(c) + path,
    httpOnly: true,
    sameSite: 'Lax',
    secure: !isLoopbackHost(c),
    maxAge: value === '' ? 0 : attemptLifeMs / 1_000,
  })

const sealedAs = (name: string): string => `sign-in attempt ${name}`

/** Stores attempts in the browser. */
export class Attempts {
  readonly #service: Pick<Service, 'environment'>

  constructor(service: Pick<Service, 'environment'>) {
    this.#service = service
  }

  /** The cookies that store an attempt; those of the oldest ones are removed if there are too many. */
  keep(c: HttpContext, attempt: Attempt): string[] {
    const others = Object.keys(getCookie(c))
      .filter(name => name.startsWith(prefix))
      .map(name => ({ name, begunAt: this.#opened(c, name)?.begunAt ?? 0 }))
      .sort((one, other) => other.begunAt - one.begunAt)
    const name = nameOf(attempt.state)
    const sealed = this.#service.environment.secretKey.wrap(sealedAs(name), Buffer.from(JSON.stringify(attempt)))
    return [cookie(c, name, sealed), ...others.slice(maxAttempts - 1).map(({ name }) => cookie(c, name, ''))]
  }

  /** The attempt with a state, if this browser started it at this provider, and the cookie that removes it. */
  take(c: HttpContext, state: string, provider: string): { attempt: Attempt | undefined; cookie: string } {
    const name = nameOf(state)
    const attempt = this.#opened(c, name)
    const isOwn = attempt?.state === state && attempt.provider === provider
    return { attempt: isOwn ? attempt : undefined, cookie: cookie(c, name, '') }
  }

  #opened(c: HttpContext, name: string): Attempt | undefined {
    const { secretKey, clock } = this.#service.environment
    const bytes = secretKey.unwrap(sealedAs(name), getCookie(c, name) ?? '')
    const attempt = bytes && (JSON.parse(bytes.toString()) as Attempt)
    return attempt !== undefined && clock() - attempt.begunAt < attemptLifeMs ? attempt : undefined
  }
}

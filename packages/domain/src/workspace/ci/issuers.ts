/** The keys with which issuers of CI tokens sign (evidence 6.2). */
import { readFile, stat } from 'node:fs/promises'
import type { JSONWebKeySet, JWTPayload } from 'jose'
import type { CiTokens, IssuerState } from '../../delivery/ci/environment.ts'
import { DomainError } from '../../kernel/errors.ts'
import { AllowedHosts } from '../webhooks/addresses.ts'
import { Outside } from '../webhooks/outside-fetch.ts'

/** How the keys of issuers are obtained. */
export interface CiIssuerSettings {
  /** Hosts at which issuers may be internal, and without TLS. */
  readonly allowedHosts?: readonly string[] | undefined
  /** A JSON file {issuer: JWKS}: issuers in it are never queried. */
  readonly keysFile?: string | undefined
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * The minimum and maximum time for which a set of keys is fresh, and how long it is used while its issuer is
 * unreachable, ms.
 */
const freshMs = { min: 10 * minuteMs, max: 24 * hourMs }
const usableMs = 24 * hourMs

/** The minimum interval between queries to an issuer because of an unknown key, ms. */
const asksAgainMs = 30_000

/** The largest set of keys that is read, bytes. */
const largestSet = 262_144

/** The tolerance for issuers' clocks, seconds; and the longest life of a token. */
const toleranceSeconds = 60
const maxLifeSeconds = 86_400

/** Signatures with a key of the issuer's own; never `none` or a shared secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

interface CachedIssuer {
  readonly keys: JSONWebKeySet
  readonly fetchedAt: number
  readonly freshUntil: number
}

/** Verifies tokens of CI jobs by the keys of their issuers. */
export class CiIssuers implements CiTokens {
  readonly #allowedHosts: AllowedHosts
  readonly #clock: () => number
  readonly #outside: Outside
  readonly #keysFile: string | undefined
  readonly #onFault: (error: unknown) => void
  readonly #kept = new Map<string, CachedIssuer>()
  readonly #asked = new Map<string, number>()
  readonly #requester = new Map<string, Promise<CachedIssuer>>()
  #file: { readonly changedAt: number; readonly sets: Readonly<Record<string, JSONWebKeySet>> } | undefined

  constructor({
    clock,
    version,
    settings: { allowedHosts = [], keysFile },
    onFault,
  }: {
    readonly clock: () => number
    readonly version: string
    readonly settings: CiIssuerSettings
    readonly onFault: (error: unknown) => void
  }) {
    this.#allowedHosts = new AllowedHosts(allowedHosts)
    this.#clock = clock
    this.#outside = new Outside({ clock, version, readAtMost: largestSet })
    this.#keysFile = keysFile
    this.#onFault = onFault
  }

  /** Whether an issuer's address may lack TLS. */
  mayBePlain(url: URL): boolean {
    return this.#allowedHosts.has(url)
  }

  /** Where the keys in use come from, and how old they are. */
  states(): IssuerState[] {
    const now = this.#clock()
    const ofFile = Object.keys(this.#file?.sets ?? {}).map(issuer => ({
      issuer,
      source: 'file' as const,
      ageMs: now - this.#file!.changedAt,
    }))
    const ofAddress = [...this.#kept].map(([issuer, { fetchedAt }]) => ({
      issuer,
      source: 'address' as const,
      ageMs: now - fetchedAt,
    }))
    return [...ofFile, ...ofAddress]
  }

  /**
   * The claims of a token that an issuer signed; undefined if anything about it is wrong.
   * @throws DomainError ISSUER_UNREACHABLE
   */
  async verified(token: string, issuer: string): Promise<JWTPayload | undefined> {
    const keys = (await this.#keysInFile(issuer)) ?? (await this.#keysOf(issuer))
    const claims = await this.#verifiedBy(token, issuer, keys)
    if (claims !== 'unknown key') return claims
    const newer = await this.#askedAgain(issuer)
    const again = newer === undefined ? undefined : await this.#verifiedBy(token, issuer, newer)
    return again === 'unknown key' ? undefined : again
  }

  async #verifiedBy(
    token: string,
    issuer: string,
    keys: JSONWebKeySet,
  ): Promise<JWTPayload | undefined | 'unknown key'> {
    // Loaded for the first token: few services ever see one.
    const { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify } = await import('jose')
    try {
      // A key that the token contains or points to is never used.
      if (decodeProtectedHeader(token).b64 === false) return undefined
      const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
        issuer,
        algorithms,
        clockTolerance: toleranceSeconds,
        currentDate: new Date(this.#clock()),
        requiredClaims: ['exp', 'iat', 'aud'],
      })
      const [iat, exp] = [payload.iat!, payload.exp!]
      const isEarly = iat > this.#clock() / 1_000 + toleranceSeconds
      return isEarly || exp - iat > maxLifeSeconds ? undefined : payload
    } catch (error) {
      return error instanceof errors.JWKSNoMatchingKey ? 'unknown key' : undefined
    }
  }

  /** The keys of an issuer: fresh ones from the cache, otherwise fetched; the last ones while it cannot be reached. */
  async #keysOf(issuer: string): Promise<JSONWebKeySet> {
    const cached = this.#kept.get(issuer)
    const now = this.#clock()
    if (cached !== undefined && cached.freshUntil > now) return cached.keys
    try {
      return (await this.#ask(issuer)).keys
    } catch (error) {
      this.#onFault(error)
      if (cached !== undefined && cached.fetchedAt + usableMs > now) return cached.keys
      throw new DomainError(
        'ISSUER_UNREACHABLE',
        'The issuer of the token did not answer with its keys. Try again in a while.',
        { retry_after: asksAgainMs / 1_000 },
      )
    }
  }

  /** The keys of an issuer that has signed with an unknown key, unless it was just queried. */
  async #askedAgain(issuer: string): Promise<JSONWebKeySet | undefined> {
    if (this.#file?.sets[issuer] !== undefined) return undefined
    if (this.#clock() - (this.#asked.get(issuer) ?? 0) < asksAgainMs) return undefined
    try {
      return (await this.#ask(issuer)).keys
    } catch (error) {
      this.#onFault(error)
      return undefined
    }
  }

  #ask(issuer: string): Promise<CachedIssuer> {
    const requester =
      this.#requester.get(issuer) ?? this.#fetched(issuer).finally(() => void this.#requester.delete(issuer))
    this.#requester.set(issuer, requester)
    return requester
  }

  async #fetched(issuer: string): Promise<CachedIssuer> {
    this.#asked.set(issuer, this.#clock())
    const base = issuer.endsWith('/') ? issuer.slice(0, -1) : issuer
    const { body: about } = await this.#json(`${base}/.well-known/openid-configuration`)
    const { jwks_uri } = about as { readonly jwks_uri?: unknown }
    if (typeof jwks_uri !== 'string' || URL.parse(jwks_uri)?.host !== new URL(issuer).host)
      throw new TypeError(`The issuer ${new URL(issuer).host} names no set of keys at its own host.`)
    const { body, cacheControl } = await this.#json(jwks_uri)
    const now = this.#clock()
    const entry = { keys: keysIn(body), fetchedAt: now, freshUntil: now + freshFor(cacheControl) }
    this.#kept.set(issuer, entry)
    return entry
  }

  async #json(url: string): Promise<{ readonly body: unknown; readonly cacheControl: string }> {
    const answer = await this.#outside.fetch(this.#allowedHosts)(url, { headers: { accept: 'application/json' } })
    if (answer.status !== 200) throw new TypeError(`${new URL(url).host} answered ${answer.status}.`)
    return { body: JSON.parse(await answer.text()), cacheControl: answer.headers.get('cache-control') ?? '' }
  }

  /**
   * The keys of an issuer in the file, which is read again when it has changed; if it is broken, the last good version
   * is kept.
   */
  async #keysInFile(issuer: string): Promise<JSONWebKeySet | undefined> {
    if (this.#keysFile === undefined) return undefined
    try {
      const changedAt = (await stat(this.#keysFile)).mtimeMs
      if (changedAt !== this.#file?.changedAt) this.#file = { changedAt, sets: await setsIn(this.#keysFile) }
    } catch (error) {
      this.#onFault(error)
    }
    const sets = this.#file?.sets
    return sets !== undefined && Object.hasOwn(sets, issuer) ? sets[issuer] : undefined
  }
}

/**
 * The sets of keys in a file, by issuer.
 * @throws TypeError for a file that is not an object of them
 */
async function setsIn(file: string): Promise<Readonly<Record<string, JSONWebKeySet>>> {
  const parsed: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new TypeError('The file of keys is not a JSON object {issuer: JWKS}.')
  return Object.fromEntries(Object.entries(parsed).map(([issuer, set]) => [issuer, keysIn(set)]))
}

/** @throws TypeError for anything other than a set of keys */
function keysIn(set: unknown): JSONWebKeySet {
  const { keys } = (set ?? {}) as { readonly keys?: unknown }
  if (!Array.isArray(keys)) throw new TypeError('A key set has no member "keys".')
  return { keys: keys.filter(key => typeof key === 'object' && key !== null) }
}

/** How long an answer may be cached, ms. */
function freshFor(cacheControl: string): number {
  const [, seconds = '0'] = /\bmax-age=([0-9]{1,9})/.exec(cacheControl) ?? []
  return Math.min(Math.max(1_000 * Number(seconds), freshMs.min), freshMs.max)
}

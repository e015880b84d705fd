import { createHash } from 'node:crypto'
import {
  type Caller,
  DomainError,
  type Service,
  StoredSecret,
  StoredSessions,
  storedKey,
  UsedTickets,
} from '@specboard/domain'
import { issueToken, newTokenId, readToken, type TokenClaim } from './signed-token.ts'

/** How long a session lasts without use, ms (web 1). */
export const sessionLifeMs = 12 * 3_600_000

/** From what age on a session is renewed by its use, ms: not at every call, which would write a cookie into each answer. */
const renewAfterMs = 5 * 60_000

/** How long a one-time link may be opened, ms. */
export const linkLifeMs = 10 * 60_000

/** The name of the secret that signs one-time links. */
export const linkSecret = 'web_links'

/** An agent that is signed in in a browser. */
export interface SignedIn {
  readonly caller: Caller
  readonly claim: TokenClaim
  /** A new token for the cookie, when it is time to renew it. */
  readonly renewed: string | undefined
}

/** A session that begins, with the token for its cookie. */
export interface Begun extends Pick<SignedIn, 'caller' | 'claim'> {
  readonly token: string
}

/** The token of a one-time link that signs an agent in. */
export const linkToken = (secret: Buffer, keyHash: string, agentId: string, now: number): string =>
  issueToken(secret, keyHash, { agentId, id: newTokenId(), issuedAt: now })

/**
 * The sessions of people's browsers (web 1). A session is its signed token: it survives a restart, and only those
 * that were ended have a row, until they would have expired. A token is signed with the key of its agent too, so that a
 * new key ends it.
 */
export class Sessions {
  readonly #service: Service
  readonly #secret: StoredSecret
  readonly #links: StoredSecret
  readonly #ended: StoredSessions
  readonly #used: UsedTickets

  constructor(service: Service) {
    this.#service = service
    this.#secret = new StoredSecret(service, 'web_sessions')
    this.#links = new StoredSecret(service, linkSecret)
    this.#ended = new StoredSessions(service)
    this.#used = new UsedTickets(service)
  }

  /**
   * Signs in by a key.
   * @throws DomainError UNAUTHORIZED
   */
  async byKey(key: string): Promise<Begun> {
    const caller = await this.#service.authenticate(key)
    return this.#begin(caller, storedKey(key).key_hash)
  }

  /**
   * Signs in by the token of a link, which works once.
   * @throws DomainError UNAUTHORIZED
   */
  async byLink(token: string): Promise<Begun> {
    const found = await this.#verified(token, await this.#links.read(), linkLifeMs)
    if (found === undefined) throw linkRefused()
    const { caller, keyHash, claim } = found
    if (!(await this.#used.use(hashOf(claim.id), claim.issuedAt + linkLifeMs))) throw linkRefused()
    return this.#begin(caller, keyHash)
  }

  /** The session of a cookie; undefined when it is not ours, expired, was ended, or its key works no longer. */
  async find(token: string): Promise<SignedIn | undefined> {
    const secret = await this.#secret.read()
    const found = await this.#verified(token, secret, sessionLifeMs)
    if (found === undefined || (await this.#ended.isTerminated(hashOf(found.claim.id)))) return undefined
    const { caller, keyHash, lastUsedAt, claim } = found
    this.#service.touch({ caller, lastUsedAt })
    const isOld = this.#now - claim.issuedAt > renewAfterMs
    const renewed = isOld ? issueToken(secret, keyHash, { ...claim, issuedAt: this.#now }) : undefined
    return { caller, claim, renewed }
  }

  /** Ends a session, and every copy of its cookie. */
  async end({ caller, claim }: Pick<SignedIn, 'caller' | 'claim'>): Promise<void> {
    const expiresAt = new Date(this.#now + sessionLifeMs).toISOString()
    await this.#ended.terminate({ hash: hashOf(claim.id), agentId: caller.id, expiresAt })
    await this.#service.recordSession(caller, 'signed_out')
  }

  /** Records that an address was refused to sign in. */
  refused(address: string): Promise<void> {
    return this.#service.recordRefused(address, 'sign_in_refused')
  }

  async #begin(caller: Caller, keyHash: string): Promise<Begun> {
    const claim = { agentId: caller.id, id: newTokenId(), issuedAt: this.#now }
    await this.#service.recordSession(caller, 'signed_in')
    return { caller, claim, token: issueToken(await this.#secret.read(), keyHash, claim) }
  }

  /** The agent of a token that is not too old and signed with a key of the agent that works now. */
  async #verified(token: string, secret: Buffer, lifeMs: number) {
    const read = readToken(token)
    if (read === undefined || this.#now - read.claim.issuedAt >= lifeMs) return undefined
    const agent = await this.#service.agent(read.claim.agentId)
    const keyHash = agent?.keyHashes.find(hash => read.isSigned(secret, hash))
    return agent === undefined || keyHash === undefined ? undefined : { ...agent, keyHash, claim: read.claim }
  }

  get #now(): number {
    return this.#service.environment.clock()
  }
}

/** What is stored of a token that was ended or used. */
const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex')

const linkRefused = () =>
  new DomainError(
    'UNAUTHORIZED',
    'This link was used or has expired. Make another with "specboard open", or sign in with a key.',
  )

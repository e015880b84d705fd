import { createHash } from 'node:crypto'
import {
  acceptInvitation,
  agentsMaySignIn,
  beginWebSession,
  type Caller,
  DomainError,
  endOfSession,
  endWebSession,
  InvalidInput,
  inSession,
  type KeyedCaller,
  keyless,
  mailSignInLink,
  maySendLinks,
  personWithEmail,
  refuseCi,
  type Service,
  StoredSecret,
  StoredSessions,
  shownInvitation,
  storedKey,
  takeSignInLink,
  UsedTickets,
  unauthorized,
  useWebSession,
} from '@specboard/domain'
import { MinuteCounts } from '../limits/minute-counts.ts'
import { browserOf } from './browser.ts'
import {
  type Binding,
  isSecondHalf,
  issueToken,
  newTokenId,
  readToken,
  secondHalf,
  type TokenClaim,
} from './signed-token.ts'

/**
 * The age from which a session is renewed by its use, ms: not with every call, which would write a cookie into each
 * answer.
 */
const renewAfterMs = 5 * 60_000

/** How long a one-time link can be opened, ms. */
const linkLifeMs = 10 * 60_000

/** Refused sign-ins from one address in a minute that share one entry in the audit log (walls 9). */
const gathered = 20

/** The maximum links mailed in an hour (people 7.1). */
const maxMails = { ofAddress: 20, toPerson: 3 }

const hourMs = 3_600_000

/** The name of the secret that signs one-time links. */
export const linkSecret = 'web_links'

/** Which keys can start sessions (people 1.2, rule 4, 2.5). */
export interface SignInRules {
  /** Those of agents: `auto` if they did before people were distinguished. */
  readonly agents: 'auto' | 'on' | 'off'
  /** Those of people. */
  readonly keys: 'on' | 'off'
  /** Whether people can sign in with a mailed link. */
  readonly mail: 'on' | 'off'
}

/** How a session was started. */
type Via = Parameters<typeof beginWebSession>[1]['via']

/** How a session begins. */
interface Beginning {
  readonly via: Via
  /** The provider that knows the person; null without one. */
  readonly provider?: AtProvider | null
  readonly present: boolean
  readonly visitor: Visitor
}

/** How a provider knows a session. */
export interface AtProvider {
  readonly id: string
  readonly subject: string
  /** What it calls the session; null if it has no name for it. */
  readonly sid: string | null
}

/** Where somebody signs in from. */
export interface Visitor {
  readonly address: string
  readonly userAgent: string
}

/** How long an unused session lasts. */
export interface SessionLifetime {
  /** ms since the epoch. */
  readonly expiresAt: number
  /** From now on, ms. */
  readonly lastsMs: number
}

/** An agent that is signed in in a browser. */
export interface SignedIn {
  readonly caller: Caller
  readonly claim: TokenClaim
  /** A new token for the cookie, when it is time to renew it. */
  readonly renewed: string | undefined
  /** How it began, and when it ends if nobody uses it. */
  readonly session: { readonly via: Via; readonly provider: string | null } & SessionLifetime
}

/** The parts of a session in a request: neither half is enough on its own (walls 8). */
export interface Halves {
  /** The token in the cookie. */
  readonly token: string
  /** The half that the page keeps. */
  readonly half: string
}

/** Options of accepting an invitation. */
interface Accepting {
  readonly halves: Halves | undefined
  readonly visitor: Visitor
  /** Whether people can sign in with accounts at providers. */
  readonly hasProviders: boolean
}

/** A new session, with both its halves. */
export interface NewSession extends Pick<SignedIn, 'caller' | 'claim'>, Halves {
  readonly session: SessionLifetime
}

/** The token of a one-time link that signs an agent in. */
export const linkToken = (secret: Buffer, binding: Binding, agentId: string, now: number): string =>
  issueToken(secret, binding, { agentId, id: newTokenId(), issuedAt: now, present: true })

/**
 * The sessions of people's browsers (web 1, people 2.4). A session is its signed token, the second half derived from
 * it, and a row, without which it has ended. A token is also signed with the key of its agent, so that a new key ends
 * it, and with how often the agent was disabled, so that enabling it revives none.
 */
export class Sessions {
  readonly service: Service
  readonly #secret: StoredSecret
  readonly #links: StoredSecret
  readonly #ended: StoredSessions
  readonly #rules: SignInRules
  readonly #used: UsedTickets
  readonly #refused = new MinuteCounts(() => performance.now())
  readonly #mailedFor = new MinuteCounts(() => performance.now(), hourMs)
  readonly #mailedTo = new MinuteCounts(() => performance.now(), hourMs)

  constructor(service: Service, rules: SignInRules = { agents: 'auto', keys: 'on', mail: 'off' }) {
    this.service = service
    this.#rules = rules
    this.#secret = new StoredSecret(service, 'web_sessions')
    this.#links = new StoredSecret(service, linkSecret)
    this.#ended = new StoredSessions(service)
    this.#used = new UsedTickets(service)
    this.#ended.onElsewhere(notice => {
      if (notice !== 'anything' && notice.turn === undefined) service.environment.streams.open.endSession(notice.hash)
    })
  }

  /**
   * Signs in with a key.
   * @throws DomainError UNAUTHORIZED; FORBIDDEN for a key that cannot start sessions here
   */
  async byKey(key: string, visitor: Visitor): Promise<NewSession> {
    const caller = await this.service.authenticate(key)
    refuseCi(caller)
    await this.#refuseKey(caller)
    const agent = await this.service.agent(caller.id)
    if (agent === undefined) throw unauthorized()
    const { sessionGeneration } = agent
    const binding = { keyHash: storedKey(key).key_hash, sessionGeneration }
    return this.#begin(caller, binding, { via: 'key', present: false, visitor })
  }

  /**
   * Signs in with the token of a link, which works once.
   * @throws DomainError UNAUTHORIZED
   */
  async byLink(token: string, visitor: Visitor): Promise<NewSession> {
    if (!token.includes('.')) return this.#bySignInLink(token, visitor)
    const found = await this.#verified(token, await this.#links.read(), linkLifeMs)
    if (found === undefined) throw linkRefused()
    const { caller, binding, claim } = found
    if (!(await this.#used.use(hashOf(claim.id), claim.issuedAt + linkLifeMs))) throw linkRefused()
    return this.#begin(caller, binding, { via: 'link', present: claim.present, visitor })
  }

  /** Signs in with the token of a link that a person made, for themselves or somebody else (people 2.5). */
  async #bySignInLink(token: string, visitor: Visitor): Promise<NewSession> {
    const link = await takeSignInLink(this.service, token)
    const agent = link && (await this.service.agent(link.agent_id))
    if (link === undefined || agent === undefined) throw linkRefused()
    return this.present(agent, link.via, visitor)
  }

  /** Whether there can be invitations, which need a public address to lead to (people 2.6). */
  get invites(): boolean {
    return this.service.environment.publicUrl !== undefined
  }

  /** Whether sign-in links are mailed. */
  get mailsLinks(): boolean {
    return this.#rules.mail === 'on' && maySendLinks(this.service)
  }

  /**
   * Mails a link to the person with an address, if there is one. This happens after the answer, so that not even its
   * timing reveals who exists (people 2.5).
   */
  mailLink(email: string, { address }: Visitor): void {
    if (this.#mailedFor.count(address).count > maxMails.ofAddress) return
    const send = async () => {
      const person = await personWithEmail(this.service, email)
      if (person === undefined || this.#mailedTo.count(person.id).count > maxMails.toPerson) return
      await mailSignInLink(this.service, person)
    }
    send().catch(this.service.environment.onFault)
  }

  /**
   * Signs in with the token of an invitation: as a new person with that name, or as the present one, who keeps their own.
   * @throws InvalidInput if a new person has no name
   * @throws DomainError INVITATION_GONE
   */
  async byInvitation(
    token: string,
    name: string | undefined,
    { halves, visitor, hasProviders }: Accepting,
  ): Promise<NewSession> {
    const found = halves && (await this.find(halves))
    const person = found?.caller.present === true ? found.caller : undefined
    const nameOfPerson = person?.name ?? name
    if (nameOfPerson === undefined)
      throw new InvalidInput([{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }])
    const accepting = { name: nameOfPerson, person, hasProviders }
    const agent = await this.service.agent(await acceptInvitation(this.service, token, accepting))
    if (agent === undefined) throw unauthorized()
    return this.present(agent, 'invitation', visitor)
  }

  /**
   * Starts the session of a person whom a provider knows.
   * @throws DomainError UNAUTHORIZED
   */
  async byProvider(personId: string, provider: AtProvider, visitor: Visitor): Promise<NewSession> {
    const agent = await this.service.agent(personId)
    if (agent === undefined) throw unauthorized()
    return this.present(agent, 'oidc', visitor, provider)
  }

  /** Whether keys of people can start sessions. */
  get takesKeys(): boolean {
    return this.#rules.keys === 'on'
  }

  /** Whether a session has not ended, by the hash of its id. */
  async stands(hash: string): Promise<boolean> {
    return (await useWebSession(this.service, hash)) !== undefined
  }

  /** What an invitation offers. */
  shownInvitation(token: string) {
    return shownInvitation(this.service, token)
  }

  /** Starts the session of a person who came without a key. */
  present(
    { caller, sessionGeneration }: Pick<KeyedCaller, 'caller' | 'sessionGeneration'>,
    via: Via,
    visitor: Visitor,
    provider: AtProvider | null = null,
  ): Promise<NewSession> {
    return this.#begin(caller, { keyHash: keyless, sessionGeneration }, { via, provider, present: true, visitor })
  }

  /**
   * The session of two halves; undefined when they are not ours, have expired, were ended, or their key is no longer
   * valid.
   */
  async find({ token, half }: Halves): Promise<SignedIn | undefined> {
    const secret = await this.#secret.read()
    const found = await this.#verified(token, secret, this.#life.maxMs)
    if (found === undefined || !isSecondHalf(secret, found.claim, half)) return undefined
    const session = hashOf(found.claim.id)
    const row = await useWebSession(this.service, session)
    if (row === undefined) return undefined
    const { binding, lastUsedAt, claim } = found
    const { keyHash, sessionGeneration } = binding
    const { present, agentId } = claim
    const caller = inSession(found.caller, keyHash, { hash: session, generation: sessionGeneration, agentId, present })
    this.service.touch({ caller, lastUsedAt })
    const isOld = this.#now - claim.issuedAt > renewAfterMs
    const renewed = isOld ? issueToken(secret, binding, { ...claim, issuedAt: this.#now }) : undefined
    return {
      caller,
      claim,
      renewed,
      session: { via: row.via, provider: row.provider, ...this.#lasting(row.started_at) },
    }
  }

  /** Whether two halves belong to one session, even if it has ended: whoever has both may have its cookie removed. */
  async belongTogether({ token, half }: Halves): Promise<boolean> {
    const read = readToken(token)
    return read !== undefined && isSecondHalf(await this.#secret.read(), read.claim, half)
  }

  /** Ends a session, every copy of its cookie, and what it holds open. */
  async end({ caller, claim }: Pick<SignedIn, 'caller' | 'claim'>): Promise<void> {
    await endWebSession(this.service, hashOf(claim.id))
    await this.service.recordSession(caller, 'signed_out')
  }

  /**
   * Records that an address was refused a sign-in. Only the first of 20 in a row is recorded, so that nobody fills the
   * audit log.
   */
  async refused(address: string, details: Readonly<Record<string, unknown>> | null = null): Promise<void> {
    const { count } = this.#refused.count(address)
    if (count % gathered === 1) await this.service.recordRefused(address, 'sign_in_refused', details)
  }

  /** Starts a session, which identifies a person or, if started with a key, only the bearer of the key. */
  async #begin(
    caller: Caller,
    { keyHash, sessionGeneration }: Binding,
    { via, provider = null, present, visitor }: Beginning,
  ): Promise<NewSession> {
    // A link of `specboard open` is made for the owner's key, but the session that it starts outlasts the key.
    const isPresent = caller.kind === 'person' && present
    const binding = { keyHash: isPresent ? keyless : keyHash, sessionGeneration }
    const claim = { agentId: caller.id, id: newTokenId(), issuedAt: this.#now, present }
    await this.service.recordSession({ ...caller, via: 'session' }, 'signed_in', {
      via,
      provider: provider?.id ?? null,
    })
    await beginWebSession(this.service, {
      hash: hashOf(claim.id),
      agent_id: caller.id,
      via,
      provider: provider?.id ?? null,
      provider_subject: provider?.subject ?? null,
      provider_sid: provider?.sid ?? null,
      present: isPresent ? 1 : 0,
      key_hash: binding.keyHash,
      generation: sessionGeneration,
      address: visitor.address,
      browser: browserOf(visitor.userAgent),
    })
    const session = this.#lasting(new Date(this.#now).toISOString())
    const secret = await this.#secret.read()
    return { caller, claim, session, token: issueToken(secret, binding, claim), half: secondHalf(secret, claim) }
  }

  /** The agent of a token that is not too old and is signed for the agent's current state. */
  async #verified(token: string, secret: Buffer, lifeMs: number) {
    const read = readToken(token)
    if (read === undefined || this.#now - read.claim.issuedAt >= lifeMs) return undefined
    const agent = await this.service.agent(read.claim.agentId)
    if (agent === undefined) return undefined
    const { caller, lastUsedAt, keyHashes, sessionGeneration } = agent
    // A person who signed in without a key stays signed in, whatever happens to a key.
    const hashes = caller.kind === 'person' && read.claim.present ? [...keyHashes, keyless] : keyHashes
    const bindings = hashes.map(keyHash => ({ keyHash, sessionGeneration }))
    const binding = bindings.find(one => read.isSigned(secret, one))
    return binding && { caller, lastUsedAt, binding, claim: read.claim }
  }

  /** How long a session used now lasts. */
  #lasting(started_at: string): SessionLifetime {
    const now = this.#now
    const expiresAt = endOfSession({ started_at, last_used_at: new Date(now).toISOString() }, this.#life)
    return { expiresAt, lastsMs: expiresAt - now }
  }

  /**
   * Refuses a key that cannot start sessions here (people 1.2, rule 4, 2.5).
   * @throws DomainError FORBIDDEN
   */
  async #refuseKey({ kind }: Caller): Promise<void> {
    const { agents, keys } = this.#rules
    if (kind === 'person') {
      if (keys === 'off')
        throw keyRefused('key_sign_in', 'Nobody signs in with a key here: use a link or an invitation.')
      return
    }
    if (agents === 'on' || (agents === 'auto' && (await agentsMaySignIn(this.service)))) return
    throw keyRefused(
      'agent_key',
      'The key of an agent cannot be used to sign in. A person signs in with a link or their own key.',
    )
  }

  get #life() {
    return this.service.environment.sessionLife
  }

  get #now(): number {
    return this.service.environment.clock()
  }
}

/** The stored form of an ended or used token. */
const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex')

const keyRefused = (reason: 'agent_key' | 'key_sign_in', message: string) =>
  new DomainError('FORBIDDEN', message, { reason })

const linkRefused = () =>
  new DomainError(
    'UNAUTHORIZED',
    'This link was used or has expired. Make another with "specboard open", or sign in with a key.',
  )

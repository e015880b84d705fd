import { type Service, type Session, StoredSecret, StoredSessions } from '@specboard/domain'
import { hashOfToken, issueToken, readToken, sessionLifeMs } from './session-token.ts'

/**
 * Sessions of clients of the handshake revisions (mcp 3). A session is its signed token: it survives a
 * restart, and only those that were ended or that subscribe are stored.
 */
export class Sessions {
  /** The stored part of the sessions. */
  readonly stored: StoredSessions
  readonly #service: Service
  readonly #secret: StoredSecret

  constructor(service: Service) {
    this.#service = service
    this.#secret = new StoredSecret(service, 'mcp_sessions')
    this.stored = new StoredSessions(service)
  }

  /** A new session's token. */
  async issue(agentId: string): Promise<string> {
    return issueToken(await this.#secret.read(), { agentId, issuedAt: this.#now })
  }

  /** The session of a token; undefined when the token is not ours, expired, ended, or another agent's. */
  async find(token: string, agentId: string): Promise<Session | undefined> {
    const claim = readToken(await this.#secret.read(), token, this.#now)
    if (claim === undefined || claim.agentId !== agentId) return undefined
    const hash = hashOfToken(token)
    if (await this.stored.isTerminated(hash)) return undefined
    return { hash, agentId, expiresAt: new Date(claim.issuedAt + sessionLifeMs).toISOString() }
  }

  get #now(): number {
    return this.#service.environment.clock()
  }
}

import { type Db, hot, type Service } from '@specboard/domain'
import { hashOfToken, issueToken, readToken, sessionLifeMs } from './session-token.ts'
import { StoredSecret } from './stored-secret.ts'

/** A session that a request belongs to. */
export interface Session {
  readonly hash: string
  readonly agentId: string
  /** When it expires, as stored. */
  readonly expiresAt: string
}

const terminated = hot<{ hash: string }, { terminated_at: string | null }>((db, param) =>
  db.selectFrom('mcp_sessions').select('terminated_at').where('id_hash', '=', param('hash')),
)

/**
 * Sessions of clients of the handshake revisions (mcp 3). A session is its signed token: it survives a restart,
 * and only sessions that were ended or that have subscriptions have a row.
 */
export class Sessions {
  readonly #service: Service
  readonly #secret: StoredSecret

  constructor(service: Service) {
    this.#service = service
    this.#secret = new StoredSecret(service, 'mcp_sessions')
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
    const [row] = await this.#service.database.read(db => terminated(db, { hash }))
    if (row !== undefined && row.terminated_at !== null) return undefined
    return { hash, agentId, expiresAt: new Date(claim.issuedAt + sessionLifeMs).toISOString() }
  }

  /** Ends a session; its subscriptions go with it. */
  async terminate(session: Session): Promise<void> {
    const terminated_at = new Date(this.#now).toISOString()
    await this.#service.database.write(async db => {
      await keep(db, session)
      await db.updateTable('mcp_sessions').set({ terminated_at }).where('id_hash', '=', session.hash).execute()
      await db.deleteFrom('mcp_subscriptions').where('id_hash', '=', session.hash).execute()
      await purge(db, terminated_at)
    })
  }

  /** Subscribes a session to a resource. */
  async subscribe(session: Session, uri: string): Promise<void> {
    const now = new Date(this.#now).toISOString()
    await this.#service.database.write(async db => {
      await purge(db, now)
      await keep(db, session)
      await db
        .insertInto('mcp_subscriptions')
        .values({ id_hash: session.hash, uri })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    })
  }

  /** Ends a subscription; nothing happens when there is none. */
  async unsubscribe({ hash }: Session, uri: string): Promise<void> {
    await this.#service.database.write(db =>
      db.deleteFrom('mcp_subscriptions').where('id_hash', '=', hash).where('uri', '=', uri).execute(),
    )
  }

  /** The resources that a session subscribes to. */
  async subscriptions({ hash }: Session): Promise<ReadonlySet<string>> {
    const rows = await this.#service.database.read(db =>
      db.selectFrom('mcp_subscriptions').select('uri').where('id_hash', '=', hash).execute(),
    )
    return new Set(rows.map(row => row.uri))
  }

  get #now(): number {
    return this.#service.environment.clock()
  }
}

const keep = (db: Db, { hash, agentId, expiresAt }: Session) =>
  db
    .insertInto('mcp_sessions')
    .values({ id_hash: hash, agent_id: agentId, terminated_at: null, expires_at: expiresAt })
    .onConflict(conflict => conflict.doNothing())
    .execute()

/** Deletes expired sessions; the database deletes their subscriptions with them. */
const purge = (db: Db, now: string) => db.deleteFrom('mcp_sessions').where('expires_at', '<', now).execute()

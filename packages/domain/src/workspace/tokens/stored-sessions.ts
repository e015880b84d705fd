import { dialect } from '@specboard/storage'
import type { Service } from '../../kernel/service/service.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

/** A session of a client, identified by the hash of its token (mcp 3). */
export interface Session {
  readonly hash: string
  readonly agentId: string
  /** When the session expires, as stored. */
  readonly expiresAt: string
}

/** Units of work that change stored sessions run one after the other. */
const lock = { lock: 'mcp sessions' }

/** The prefix of announcements about sessions. */
const announced = 'mcp-session'

/**
 * What other nodes did with a session: opened a stream, whose turn says which is newer, or ended the session, in which
 * case there is no turn; `anything` after this node could not receive announcements.
 */
export type SessionNotice = { readonly hash: string; readonly turn: string | undefined } | 'anything'

const terminated = hot<{ hash: string }, { terminated_at: string | null }>((db, param) =>
  db.selectFrom('mcp_sessions').select('terminated_at').where('id_hash', '=', param('hash')),
)

/** The stored sessions. Only those that were ended or have subscriptions have a row, until they expire. */
export class StoredSessions {
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  /** Whether a session was ended before it expired. */
  async isTerminated(hash: string): Promise<boolean> {
    const [row] = await this.#service.database.read(db => terminated(db, { hash }))
    return row !== undefined && row.terminated_at !== null
  }

  /** Ends a session and deletes its subscriptions. */
  async terminate(session: Session): Promise<void> {
    const terminated_at = this.#now
    await this.#service.database.write(async db => {
      await keep(db, session)
      await db.updateTable('mcp_sessions').set({ terminated_at }).where('id_hash', '=', session.hash).execute()
      await db.deleteFrom('mcp_subscriptions').where('id_hash', '=', session.hash).execute()
      await purge(db, terminated_at)
    }, lock)
    this.#service.database.announce(`${announced} ${session.hash}`)
  }

  /** Subscribes a session to a resource. */
  async subscribe(session: Session, uri: string): Promise<void> {
    await this.#service.database.write(async db => {
      await purge(db, this.#now)
      await keep(db, session)
      await db
        .insertInto('mcp_subscriptions')
        .values({ id_hash: session.hash, uri })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    }, lock)
  }

  /** Ends a subscription, if there is one. */
  async unsubscribe({ hash }: Session, uri: string): Promise<void> {
    await this.#service.database.write(
      db => db.deleteFrom('mcp_subscriptions').where('id_hash', '=', hash).where('uri', '=', uri).execute(),
      lock,
    )
  }

  /** The resources that a session subscribes to. */
  async subscriptions({ hash }: Session): Promise<ReadonlySet<string>> {
    const rows = await this.#service.database.read(db =>
      db.selectFrom('mcp_subscriptions').select('uri').where('id_hash', '=', hash).execute(),
    )
    return new Set(rows.map(row => row.uri))
  }

  /**
   * Assigns a new stream of a session its turn among those of all nodes, and announces it to them.
   * @returns a text that is greater for a later stream; undefined when the session was ended
   */
  async takeTurn({ hash }: Session): Promise<string | undefined> {
    const { database, environment } = this.#service
    const [row, { now }] = await database.read(async db => [
      (await terminated(db, { hash }))[0],
      await db.selectNoFrom(dialect.timeIn(0).as('now')).executeTakeFirstOrThrow(),
    ])
    if (row !== undefined && row.terminated_at !== null) return undefined
    // The clock of the database orders the streams of all nodes, and their ids order those of one moment.
    const turn = `${now}-${environment.node.id}`
    this.tellTurn(hash, turn)
    return turn
  }

  /** Announces the turn of an open stream of a session to the other nodes. */
  tellTurn(hash: string, turn: string): void {
    this.#service.database.announce(`${announced} ${hash} ${turn}`)
  }

  /**
   * Calls the listener when another node opened a stream of a session, or ended the session; returns the function that
   * removes the listener.
   */
  onElsewhere(listener: (notice: SessionNotice) => void): () => void {
    return this.#service.database.onAnnounced(names => {
      if (names === 'anything') return listener('anything')
      for (const name of names) {
        const [kind, hash, turn] = name.split(' ')
        if (kind === announced) listener({ hash: hash!, turn })
      }
    })
  }

  get #now(): string {
    return new Date(this.#service.environment.clock()).toISOString()
  }
}

const keep = (db: Db, { hash, agentId, expiresAt }: Session) =>
  db
    .insertInto('mcp_sessions')
    .values({ id_hash: hash, agent_id: agentId, terminated_at: null, expires_at: expiresAt })
    .onConflict(conflict => conflict.doNothing())
    .execute()

/** Announces to the other nodes that the session of a browser has ended. */
export const announceEnded = (database: Pick<Service['database'], 'announce'>, hash: string): void =>
  database.announce(`${announced} ${hash}`)

/** Deletes expired sessions, with their subscriptions. */
const purge = (db: Db, now: string) => db.deleteFrom('mcp_sessions').where('expires_at', '<', now).execute()

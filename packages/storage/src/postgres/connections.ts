import type { QueryResult } from 'kysely'
import { Pool, type PoolClient } from 'pg'
import { Slots } from '../slots.ts'
import { StorageError } from '../storage-error.ts'
import type { StatementLimits } from '../store.ts'
import { clientConfig } from './client-config.ts'
import { type Departure, KeptStatements, type Outcome, Together } from './together.ts'
import { valueTypes } from './value-types.ts'

/** How long a caller waits for a connection before it is told that the database cannot be reached, ms. */
const connectMs = 5_000

/** The most callers that may wait for a connection; further ones are refused. */
const mostWaiting = 4_096

/** How long a connection without work is kept, ms. */
const idleMs = 30_000

/** The limits of a service unless its settings say otherwise, ms. */
export const usualLimits: StatementLimits = { statementMs: 60_000, lockMs: 20_000 }

/**
 * What every connection sets. A unit of work that waits longer for another one is refused; a transaction that was left
 * open ends; short queries are not worth compiling to machine code.
 */
const settings = `set lock_timeout = ${usualLimits.lockMs}; set idle_in_transaction_session_timeout = '60s'; set jit = off`

/** What the connections of a service set: nothing that it does may keep one for long (access 13). */
export const limitedBy = ({ statementMs, lockMs }: StatementLimits): string =>
  `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}`

/** So many statements are sent ahead of their answers; the next one waits for its own. */
const mostAhead = 32

const noRows = { rows: [] }

/** A connection to PostgreSQL, for one user at a time. */
export class PostgresConnection {
  readonly #client: PoolClient
  readonly #kept: KeptStatements
  #together: Together | undefined
  #failure: Error | undefined

  constructor(client: PoolClient, kept: KeptStatements) {
    this.#client = client
    this.#kept = kept
  }

  /** Runs a statement, and keeps it prepared. */
  async run<Row>(sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<Row>> {
    const { rows, tag } = await this.#run(sql, parameters)
    return { rows: rows as Row[], numAffectedRows: BigInt(changedRows(tag)) }
  }

  /** Why the first statement failed that did; later ones of its transaction fail because of it. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /**
   * Sends a statement without rows in a transaction, whose commit tells whether it failed: what comes next need not wait for
   * it, unless very many are on their way.
   */
  send<Row>(
    sql: string,
    parameters: readonly unknown[],
    departure?: Departure,
  ): QueryResult<Row> | Promise<QueryResult<Row>> {
    const running = this.#run(sql, parameters, true, departure)
    if (this.#together!.unanswered > mostAhead) return running.then(() => noRows)
    running.catch(() => {})
    return noRows
  }

  /** The rows of a statement without parameters, which is not kept. */
  async fetch<Row>(sql: string): Promise<Row[]> {
    return (await this.#run(sql, [], false)).rows as Row[]
  }

  /** Runs a statement without parameters or rows, such as BEGIN; what the server says that it did. */
  async exec(sql: string): Promise<string> {
    return (await this.#run(sql, [], false)).tag
  }

  /** Completes what was sent, before somebody else is given the connection. */
  complete(): void {
    this.#together?.complete()
  }

  #run(sql: string, parameters: readonly unknown[], isKept = true, departure: Departure = 'soon'): Promise<Outcome> {
    if (this.#together === undefined || this.#together.isSent) {
      this.#together = new Together(this.#kept, departure, error => {
        this.#failure ??= error
      })
      this.#client.query(this.#together)
    }
    return this.#together.run(sql, parameters, isKept)
  }
}

/** The last number of what a statement did. */
function changedRows(tag: string): string {
  const last = tag.slice(tag.lastIndexOf(' ') + 1)
  return /^\d+$/.test(last) ? last : '0'
}

/** Looks at the role of a server right after connecting: a unit that only read would not notice that it is a standby. */
function refuseStandby(client: PoolClient, done: (error?: Error) => void): void {
  client
    .query<{ is_standby: boolean | number }>('select pg_is_in_recovery() as is_standby')
    .then(({ rows: [role] }) => done(role!.is_standby ? standby() : undefined), done)
}

const standby = (): StorageError =>
  new StorageError(
    'READ_ONLY',
    'The database takes no writes: it is a standby. Nothing was stored; send the request again in a moment.',
  )

/** Connections to one database, made as they are needed. */
export class Connections {
  readonly #pool: Pool
  /** As many as there are connections: the pool's own waiting counts as time to connect. */
  readonly #slots: Slots
  readonly #kept = new WeakMap<PoolClient, KeptStatements>()
  /** Which connections were made since the last renewal. */
  #current = new WeakSet<PoolClient>()

  /**
   * @param onLoss told when a connection is lost; the next caller gets a new one
   * @param further what each connection sets besides
   * @param isForWrites whether a new connection to a standby is refused
   */
  constructor(url: string, most: number, onLoss: (error: Error) => void, further = '', isForWrites = false) {
    this.#slots = new Slots(most, mostWaiting)
    this.#pool = new Pool({
      ...clientConfig(url),
      max: most,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: idleMs,
      allowExitOnIdle: true,
      keepAlive: true,
      application_name: 'specboard',
      types: valueTypes,
      pipeline: true,
      ...(isForWrites && { verify: refuseStandby }),
    })
    this.#pool.on('connect', client => {
      this.#current.add(client)
      // Whoever uses it hears of it by its queries; without a listener the process would end.
      client.on('error', onLoss)
      client.query(`${settings}; ${further}`).catch(onLoss)
    })
    this.#pool.on('error', () => {})
  }

  /**
   * Lends a connection. After a failure that leaves its state unknown it is closed instead of given back.
   * @param isBroken whether an error means that
   */
  with<Value>(
    run: (connection: PostgresConnection) => Promise<Value>,
    isBroken: (error: unknown) => boolean,
  ): Promise<Value> {
    return this.#slots.run(() => this.#lend(run, isBroken))
  }

  async #lend<Value>(
    run: (connection: PostgresConnection) => Promise<Value>,
    isBroken: (error: unknown) => boolean,
  ): Promise<Value> {
    const client = await this.#connected()
    const connection = new PostgresConnection(client, this.#keptBy(client))
    let broken = false
    try {
      return await run(connection)
    } catch (error) {
      broken = isBroken(error)
      throw error
    } finally {
      connection.complete()
      client.release(broken || !this.#current.has(client))
    }
  }

  async #connected(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#pool.connect()
      if (this.#current.has(client)) return client
      client.release(true)
    }
  }

  /** Gives up all connections, as they are given back: they may lead to a server that is not the primary any more. */
  renew(): void {
    this.#current = new WeakSet()
  }

  /** How many connections are open, how many of them nobody uses, and how many callers wait for one. */
  get load(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    return { open: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#slots.waiting }
  }

  /** Ends all connections once they are given back. */
  close(): Promise<void> {
    return this.#pool.end()
  }

  #keptBy(client: PoolClient): KeptStatements {
    const known = this.#kept.get(client)
    if (known !== undefined) return known
    const kept = new KeptStatements()
    this.#kept.set(client, kept)
    return kept
  }
}

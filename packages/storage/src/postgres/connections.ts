import type { QueryResult } from 'kysely'
import { Pool, type PoolClient } from 'pg'
import { Slots } from '../slots.ts'
import { StorageError } from '../storage-error.ts'
import type { StatementLimits } from '../store.ts'
import { clientConfig } from './client-config.ts'
import { type Departure, KeptStatements, type Outcome, Together } from './together.ts'
import { valueTypes } from './value-types.ts'

/** How long a caller waits for a connection before the database counts as unreachable, ms. */
const connectMs = 5_000

/** Maximum number of callers that may wait for a connection; further ones are refused. */
const maxWaiting = 4_096

/** How long an idle connection is kept, ms. */
const idleMs = 30_000

/** The default limits of a service, ms. */
export const defaultLimits: StatementLimits = { statementMs: 60_000, lockMs: 20_000 }

/**
 * The settings of every connection. A unit of work that waits too long for another one is refused; a transaction left
 * open is ended; short queries are not worth compiling to machine code.
 */
const settings = `set lock_timeout = ${defaultLimits.lockMs}; set idle_in_transaction_session_timeout = '60s'; set jit = off`

/** The settings of a service's connections: nothing that it does may occupy one for long (access 13). */
export const limitedBy = ({ statementMs, lockMs }: StatementLimits): string =>
  `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}`

/** Maximum number of statements sent without waiting for their answers; the next one waits for its own. */
const maxAhead = 32

const noRows = { rows: [] }

/** A connection to PostgreSQL, for one user at a time. */
export class PostgresConnection {
  readonly #client: PoolClient
  readonly #kept: KeptStatements
  #together: Together | undefined
  #failure: Error | undefined

  constructor(client: PoolClient, statements: KeptStatements) {
    this.#client = client
    this.#kept = statements
  }

  /** Runs a statement, and caches the prepared statement. */
  async run<Row>(sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<Row>> {
    const { rows, tag } = await this.#run(sql, parameters)
    return { rows: rows as Row[], numAffectedRows: BigInt(changedRows(tag)) }
  }

  /** Why the first failed statement failed; later ones of its transaction fail because of it. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /**
   * Sends a statement without rows in a transaction, whose commit reports whether it failed: later statements need not
   * wait for it, unless very many are in flight.
   */
  send<Row>(
    sql: string,
    parameters: readonly unknown[],
    departure?: Departure,
  ): QueryResult<Row> | Promise<QueryResult<Row>> {
    const running = this.#run(sql, parameters, true, departure)
    if (this.#together!.unanswered > maxAhead) return running.then(() => noRows)
    running.catch(() => {})
    return noRows
  }

  /** The rows of a statement without parameters, which is not cached. */
  async fetch<Row>(sql: string): Promise<Row[]> {
    return (await this.#run(sql, [], false)).rows as Row[]
  }

  /** Runs a statement without parameters or rows, such as BEGIN; returns the server's command tag. */
  async exec(sql: string): Promise<string> {
    return (await this.#run(sql, [], false)).tag
  }

  /** Completes the sent statements before the connection is passed on. */
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

/** The number at the end of a command tag. */
function changedRows(tag: string): string {
  const last = tag.slice(tag.lastIndexOf(' ') + 1)
  return /^\d+$/.test(last) ? last : '0'
}

/** Checks the role of a server right after connecting: a unit that only reads would not notice that it is a standby. */
export function refuseStandby(client: PoolClient, done: (error?: Error) => void): void {
  client
    .query<{ is_standby: boolean | number }>('select pg_is_in_recovery() as is_standby')
    .then(({ rows: [role] }) => done(role!.is_standby ? standby() : undefined), done)
}

/** Checks whether a new connection can be used, and calls back. */
type Verification = (client: PoolClient, done: (error?: Error) => void) => void

/** Limits a verification: a pooler accepts connections for which it has no connection to the server yet. */
const inTime =
  (verify: Verification): Verification =>
  (client, done) => {
    let isDone = false
    const end = (error?: Error) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      done(error)
    }
    const timer = setTimeout(() => end(new Error('timeout exceeded when trying to connect')), connectMs)
    verify(client, end)
  }

const standby = (): StorageError =>
  new StorageError(
    'READ_ONLY',
    'The database takes no writes: it is a standby. Nothing was stored; send the request again in a moment.',
  )

/** Connections to one database, opened on demand. */
export class Connections {
  readonly #pool: Pool
  /** One for each connection: waiting in the pool itself would count towards the connection time. */
  readonly #slots: Slots
  readonly #kept = new WeakMap<PoolClient, KeptStatements>()
  /** The connections made since the last renewal. */
  #current = new WeakSet<PoolClient>()

  /**
   * @param onLoss called when a connection is lost; the next caller gets a new one
   * @param further additional settings of each connection
   * @param verify checks a new connection, before anybody gets it
   */
  constructor(url: string, most: number, onLoss: (error: Error) => void, further = '', verify?: Verification) {
    const prepared = new WeakMap<PoolClient, Promise<unknown>>()
    const untilPrepared: Verification = (client, done) => void prepared.get(client)!.then(() => done())
    this.#slots = new Slots(most, maxWaiting)
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
      verify: inTime(verify ?? untilPrepared),
    })
    this.#pool.on('connect', client => {
      this.#current.add(client)
      // The user of the connection learns of the error through its queries; without a listener the process would exit.
      client.on('error', onLoss)
      prepared.set(client, client.query(`${settings}; ${further}`).catch(onLoss))
    })
    this.#pool.on('error', () => {})
  }

  /**
   * Lends a connection. After a failure that leaves its state unknown it is closed instead of returned.
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

  /** Drops all connections as they are returned: they may lead to a server that is no longer the primary. */
  renew(): void {
    this.#current = new WeakSet()
  }

  /** How many connections are open, how many of them are idle, and how many callers wait for one. */
  get load(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    return { open: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#slots.waiting }
  }

  /** Ends all connections once they are returned. */
  close(): Promise<void> {
    return this.#pool.end()
  }

  #keptBy(client: PoolClient): KeptStatements {
    const existing = this.#kept.get(client)
    if (existing !== undefined) return existing
    const statements = new KeptStatements()
    this.#kept.set(client, statements)
    return statements
  }
}

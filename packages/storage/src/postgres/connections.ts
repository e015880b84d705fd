import type { QueryResult } from 'kysely'
import { Pool, type PoolClient } from 'pg'
import { clientConfig } from './client-config.ts'
import { Places } from './places.ts'
import { valueTypes } from './value-types.ts'

/** How long a caller waits for a connection before it is told that the database cannot be reached, ms. */
const connectMs = 5_000

/** How long a connection without work is kept, ms. */
const idleMs = 30_000

/**
 * What every connection sets. A unit of work that waits longer for another one is refused; a transaction that was left
 * open ends; short queries are not worth compiling to machine code.
 */
const settings = `set lock_timeout = '20s'; set idle_in_transaction_session_timeout = '60s'; set jit = off`

/** A connection to PostgreSQL, for one user at a time. Statements that follow one another need not wait for answers. */
export class PostgresConnection {
  readonly #client: PoolClient
  readonly #nameOf: (sql: string) => string

  constructor(client: PoolClient, nameOf: (sql: string) => string) {
    this.#client = client
    this.#nameOf = nameOf
  }

  /** Runs a statement, and keeps it prepared. */
  async run<Row>(sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<Row>> {
    const { rows, rowCount } = await this.#client.query({
      name: this.#nameOf(sql),
      text: sql,
      values: parameters as unknown[],
    })
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  /** The rows of a statement without parameters, which is not kept. */
  async fetch<Row>(sql: string): Promise<Row[]> {
    return (await this.#client.query(sql)).rows as Row[]
  }

  /** Runs a statement without parameters or rows, such as BEGIN; what the server says that it did. */
  async exec(sql: string): Promise<string> {
    return (await this.#client.query(sql)).command
  }
}

/** Connections to one database, made as they are needed. */
export class Connections {
  readonly #pool: Pool
  /** As many as there are connections: the pool's own waiting counts as time to connect. */
  readonly #places: Places
  readonly #names = new Map<string, string>()

  /** @param onLoss told when a connection is lost; the next caller gets a new one */
  constructor(url: string, most: number, onLoss: (error: Error) => void) {
    this.#places = new Places(most)
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
    })
    this.#pool.on('connect', client => {
      // Whoever uses it hears of it by its queries; without a listener the process would end.
      client.on('error', onLoss)
      client.query(settings).catch(onLoss)
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
    return this.#places.in(() => this.#lend(run, isBroken))
  }

  async #lend<Value>(
    run: (connection: PostgresConnection) => Promise<Value>,
    isBroken: (error: unknown) => boolean,
  ): Promise<Value> {
    const client = await this.#pool.connect()
    let broken = false
    try {
      return await run(new PostgresConnection(client, sql => this.#nameOf(sql)))
    } catch (error) {
      broken = isBroken(error)
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** Ends all connections once they are given back. */
  close(): Promise<void> {
    return this.#pool.end()
  }

  /** A statement's name, the same for all connections. */
  #nameOf(sql: string): string {
    const known = this.#names.get(sql)
    if (known !== undefined) return known
    const name = `s${this.#names.size}`
    this.#names.set(sql, name)
    return name
  }
}

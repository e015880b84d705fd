import { Kysely, type Dialect as KyselyDialect, PostgresAdapter, PostgresDialect, type QueryResult } from 'kysely'
import type { Db } from '../db.ts'
import { type Gate, UnitExecutor } from '../executor.ts'
import type { Group } from '../group.ts'
import { StorageError } from '../storage-error.ts'
import { PostgresCompiler } from './compiler.ts'
import type { PostgresConnection } from './connections.ts'

const compiler = new PostgresCompiler()
const adapter = new PostgresAdapter()

/** Runs queries on one connection. */
class PostgresExecutor<Schema> extends UnitExecutor<Schema> {
  readonly engine = 'postgres'
  readonly #connection: PostgresConnection

  constructor(connection: PostgresConnection, gate: Gate, group: Group<Schema> | undefined) {
    super(compiler, adapter, gate, group)
    this.#connection = connection
  }

  run<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    this.checkOpen()
    return this.#connection.run<Row>(sql, parameters)
  }

  /** A unit of work continues without waiting: the commit reports whether it succeeded. */
  override change(sql: string, parameters: readonly unknown[]): QueryResult<never> | Promise<QueryResult<never>> {
    this.checkOpen()
    return this.isUnit ? this.#connection.send(sql, parameters) : this.run(sql, parameters)
  }
}

const unusedDialect: KyselyDialect = new PostgresDialect({
  pool: () => {
    throw new StorageError('UNIT_CLOSED', 'The query builder is already bound to a connection.')
  },
})
const unusedDriver = unusedDialect.createDriver()

/** The query builder on one connection of PostgreSQL. */
export const bindPostgres = <Schema>(connection: PostgresConnection, gate: Gate, group?: Group<Schema>): Db<Schema> =>
  new Kysely<Schema>({
    config: { dialect: unusedDialect },
    dialect: unusedDialect,
    driver: unusedDriver,
    executor: new PostgresExecutor<Schema>(connection, gate, group),
  })

import {
  type CompiledQuery,
  DefaultQueryExecutor,
  Kysely,
  type Dialect as KyselyDialect,
  PostgresAdapter,
  PostgresDialect,
  type QueryResult,
} from 'kysely'
import type { Db } from '../db.ts'
import { checkOpen, type Gate, noConnection, type QueryRunner } from '../executor.ts'
import type { Group } from '../group.ts'
import { StorageError } from '../storage-error.ts'
import { PostgresCompiler } from './compiler.ts'
import type { PostgresConnection } from './connections.ts'

const compiler = new PostgresCompiler()
const adapter = new PostgresAdapter()

/** Runs queries on one connection. */
class PostgresExecutor<Schema> extends DefaultQueryExecutor implements QueryRunner<Schema> {
  readonly engine = 'postgres'
  readonly #connection: PostgresConnection
  readonly #gate: Gate
  readonly #group: Group<Schema> | undefined

  constructor(connection: PostgresConnection, gate: Gate, group: Group<Schema> | undefined) {
    super(compiler, adapter, noConnection)
    this.#connection = connection
    this.#gate = gate
    this.#group = group
  }

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run<Row>(query.sql, query.parameters)
  }

  run<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    checkOpen(this.#gate)
    return this.#connection.run<Row>(sql, parameters)
  }

  get group(): Group<Schema> {
    checkOpen(this.#gate)
    if (this.#group === undefined) throw new StorageError('NO_GROUP', 'This handle is not part of a unit of work.')
    return this.#group
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

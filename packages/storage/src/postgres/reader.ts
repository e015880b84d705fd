import type { Db } from '../db.ts'
import type { DatabaseReader } from '../store.ts'
import { Connections, type PostgresConnection } from './connections.ts'
import { isBroken } from './faults.ts'
import { beginRead, transaction } from './transaction.ts'

/** Reads on connections of its own. */
export class PostgresReader<Schema> implements DatabaseReader<Schema> {
  readonly #connections: Connections

  constructor(url: string, most: number, onLoss: (error: Error) => void = () => {}) {
    this.#connections = new Connections(url, most, onLoss)
  }

  read<Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Value> {
    return this.#connections.with(connection => transaction(connection, beginRead, run), isBroken)
  }

  /** Runs a statement by itself, beside a unit of work, whose connections may all be taken. */
  beside<Value>(run: (connection: PostgresConnection) => Promise<Value>): Promise<Value> {
    return this.#connections.with(run, isBroken)
  }

  close(): Promise<void> {
    return this.#connections.close()
  }
}

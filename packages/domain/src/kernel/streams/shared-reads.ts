import type { Database, Db } from '../../schema/database.ts'

/** Shares reads that many callers need, such as the streams of one board: each runs once per state of the database. */
export class SharedReads {
  readonly #database: Database
  readonly #kept = new Map<string, Promise<unknown>>()
  #version = -1

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * The result of a read, shared with other callers.
   * @param name identifies the read; different reads must have different names
   */
  read<Value>(name: string, run: (db: Db) => Promise<Value>): Promise<Value> {
    const version = this.#database.dataVersion
    if (version !== this.#version) this.#kept.clear()
    this.#version = version
    const pending = this.#kept.get(name) ?? this.#database.read(run)
    this.#kept.set(name, pending)
    return pending as Promise<Value>
  }
}

import type { Database, Db } from '../../schema/database.ts'

/** Reads that many ask for alike, such as the streams of one board: done once while the database stays as it is. */
export class SharedReads {
  readonly #database: Database
  readonly #kept = new Map<string, Promise<unknown>>()
  #version = -1

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * What a read gives.
   * @param name stands for what is read, and for nothing else
   */
  read<Value>(name: string, run: (db: Db) => Promise<Value>): Promise<Value> {
    const version = this.#database.dataVersion
    if (version !== this.#version) this.#kept.clear()
    this.#version = version
    const kept = this.#kept.get(name) ?? this.#database.read(run)
    this.#kept.set(name, kept)
    return kept as Promise<Value>
  }
}

import type { Connection } from './connection.ts'
import type { Db } from './db.ts'

/** A number that a row counts, such as the sequence of a board's events. */
export interface Counter {
  /** Reads the column `value` of the row with an id. */
  readonly read: string
  /** Sets it: the number, then the id. */
  readonly write: string
}

/**
 * What a group of writes keeps in memory until just before its commit, so that it is written once however many
 * of its units ask for it. It is in the database before anybody else can look.
 */
export class Group<Schema> {
  readonly #connection: Connection
  readonly #db: Db<Schema>
  #counted = new Map<Counter, Map<string, number>>()
  #postponed = new Map<string, (db: Db<Schema>) => Promise<unknown>>()
  #asked = 0

  constructor(connection: Connection, db: Db<Schema>) {
    this.#connection = connection
    this.#db = db
  }

  /** How often anything was asked for. */
  get asked(): number {
    return this.#asked
  }

  /** The next number of a counter's row. */
  next(counter: Counter, id: string): number {
    this.#asked++
    let numbers = this.#counted.get(counter)
    if (numbers === undefined) {
      numbers = new Map()
      this.#counted.set(counter, numbers)
    }
    const next = (numbers.get(id) ?? this.#stored(counter, id)) + 1
    numbers.set(id, next)
    return next
  }

  /** Puts a write off; of those under one key the first is done. */
  postpone(key: string, run: (db: Db<Schema>) => Promise<unknown>): void {
    this.#asked++
    if (!this.#postponed.has(key)) this.#postponed.set(key, run)
  }

  /** Writes what was asked for. */
  async finish(): Promise<void> {
    for (const [counter, numbers] of this.#counted)
      for (const [id, number] of numbers) this.#connection.execute(counter.write, [number, id])
    for (const run of this.#postponed.values()) await run(this.#db)
    this.forget()
  }

  /** Drops what was asked for. Into new maps: the table of a cleared one leads to the next and, once old, keeps it. */
  forget(): void {
    this.#counted = new Map()
    this.#postponed = new Map()
  }

  #stored({ read }: Counter, id: string): number {
    const { rows } = this.#connection.execute<{ value: number }>(read, [id])
    return rows[0]!.value
  }
}

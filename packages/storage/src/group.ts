import type { Connection } from './connection.ts'
import type { Db } from './db.ts'

/** A counter stored in a row, such as the sequence number of a board's events. */
export interface Counter {
  readonly table: string
  readonly column: string
  /** The column with the row's id. */
  readonly id: string
  /**
   * Whether units of work count it concurrently, in commit order as readers see it (`settledUpTo`). On PostgreSQL the
   * numbers then have gaps, and no unit waits for another one.
   */
  readonly isByCommit?: true
}

/** The writes that the units of a group share. */
export interface Group<Schema> {
  /** Returns the next number of a row's counter. */
  next(counter: Counter, id: string): number | Promise<number>
  /** Raises a row's counter to at least a number. */
  raise(counter: Counter, id: string, min: number): void | Promise<void>
  /** Postpones a write until just before the commit; only the first one under a key runs. */
  postpone(key: string, run: (db: Db<Schema>) => Promise<unknown>): void
  /**
   * Yields to everything else that waits for the event loop, in the middle of a unit that writes a lot. Its transaction
   * stays open: reads see the previous state, and other writes wait.
   */
  turn(): Promise<void>
}

/** Postponed writes that run in one turn of the event loop. */
const postponedATurn = 100

/** The statements that read and write a counter. */
interface Statements {
  readonly read: string
  readonly write: string
}

/**
 * Writes that a group collects in memory and makes once, just before its commit, however many of its units request
 * them. No reader can see the database without them.
 *
 * @example
 * const seq = await groupOf(db).next(boardSequence, boardId) // the row itself is updated before the commit
 * groupOf(db).postpone(`revision ${boardId}`, db => raiseRevision(db, boardId)) // once per group
 */
export class CollectedWrites<Schema> implements Group<Schema> {
  readonly #connection: Connection
  readonly #db: Db<Schema>
  readonly #statements = new Map<Counter, Statements>()
  #counted = new Map<Counter, Map<string, number>>()
  #postponed = new Map<string, (db: Db<Schema>) => Promise<unknown>>()
  #asked = 0
  readonly turn: () => Promise<void>

  constructor(connection: Connection, db: Db<Schema>, turn: () => Promise<void>) {
    this.#connection = connection
    this.#db = db
    this.turn = turn
  }

  /** The number of requests so far. */
  get asked(): number {
    return this.#asked
  }

  next(counter: Counter, id: string): number {
    return this.#count(counter, id, last => last + 1)
  }

  raise(counter: Counter, id: string, min: number): void {
    this.#count(counter, id, last => Math.max(last, min))
  }

  #count(counter: Counter, id: string, counted: (last: number) => number): number {
    this.#asked++
    let numbers = this.#counted.get(counter)
    if (numbers === undefined) {
      numbers = new Map()
      this.#counted.set(counter, numbers)
    }
    const number = counted(numbers.get(id) ?? this.#stored(counter, id))
    numbers.set(id, number)
    return number
  }

  postpone(key: string, run: (db: Db<Schema>) => Promise<unknown>): void {
    this.#asked++
    if (!this.#postponed.has(key)) this.#postponed.set(key, run)
  }

  /** Makes the collected writes. */
  async finish(): Promise<void> {
    for (const [counter, numbers] of this.#counted)
      for (const [id, number] of numbers) this.#connection.execute(this.#of(counter).write, [number, id])
    let inTurn = 0
    for (const run of this.#postponed.values()) {
      if (inTurn++ === postponedATurn) {
        await this.turn()
        inTurn = 1
      }
      await run(this.#db)
    }
    this.forget()
  }

  /** Drops the collected writes. Makes new maps, because the old table of a cleared map keeps a link to its new one. */
  forget(): void {
    this.#counted = new Map()
    this.#postponed = new Map()
  }

  #stored(counter: Counter, id: string): number {
    const { rows } = this.#connection.execute<{ value: number }>(this.#of(counter).read, [id])
    return rows[0]!.value
  }

  #of(counter: Counter): Statements {
    const cached = this.#statements.get(counter)
    if (cached !== undefined) return cached
    const { table, column, id } = counter
    const statements = {
      read: `select ${column} as value from ${table} where ${id} = ?`,
      write: `update ${table} set ${column} = ? where ${id} = ?`,
    }
    this.#statements.set(counter, statements)
    return statements
  }
}

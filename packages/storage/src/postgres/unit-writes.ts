import { firstOfTransaction, numbersOfTransaction } from '../commit-order.ts'
import type { Db } from '../db.ts'
import type { Counter, Group } from '../group.ts'
import type { PostgresConnection } from './connections.ts'

/** Runs a statement that answers a number. */
type Ask = (statement: string, parameters: readonly unknown[]) => Promise<number>

/** The numbers that a unit of work gives from a counter in the order of commits. */
interface Numbers {
  readonly first: number
  given: number
}

/** What a unit of work writes once, however often it asks for it. Each unit is a group of its own. */
export class UnitWrites<Schema> implements Group<Schema> {
  readonly #connection: PostgresConnection
  readonly #ask: Ask
  readonly #askBeside: Ask
  readonly #postponed = new Map<string, (db: Db<Schema>) => Promise<unknown>>()
  readonly #numbers = new Map<Counter, Numbers>()

  /** @param beside runs something on another connection, in a transaction of its own */
  constructor(
    connection: PostgresConnection,
    beside: (run: (other: PostgresConnection) => Promise<number>) => Promise<number>,
  ) {
    this.#connection = connection
    this.#ask = askOn(connection)
    this.#askBeside = (statement, parameters) => beside(other => askOn(other)(statement, parameters))
  }

  async next(counter: Counter, row: string): Promise<number> {
    if (counter.isByCommit) return this.#nextByCommit(counter, row)
    const { table, column, id } = counter
    return this.#ask(`update ${table} set ${column} = ${column} + 1 where ${id} = $1 returning ${column} as value`, [
      row,
    ])
  }

  /**
   * The numbers of a transaction lie between its id and the next one. Where they do not suffice, further ids are taken by
   * transactions beside it: until this one ends, nobody looks behind its own.
   */
  async #nextByCommit(counter: Counter, row: string): Promise<number> {
    const { table, column, id } = counter
    let numbers = this.#numbers.get(counter)
    if (numbers === undefined || numbers.given === numbersOfTransaction) {
      const ask = numbers === undefined ? this.#ask : this.#askBeside
      const first = await ask(`select ${column} + ${firstOfTransaction} as value from ${table} where ${id} = $1`, [row])
      numbers = { first, given: 0 }
      this.#numbers.set(counter, numbers)
    }
    return numbers.first + numbers.given++
  }

  async raise({ table, column, id }: Counter, row: string, least: number): Promise<void> {
    await this.#connection.run(`update ${table} set ${column} = greatest(${column}, $2) where ${id} = $1`, [row, least])
  }

  postpone(key: string, run: (db: Db<Schema>) => Promise<unknown>): void {
    if (!this.#postponed.has(key)) this.#postponed.set(key, run)
  }

  /** Every query has waited for the database in turns of its own. */
  async turn(): Promise<void> {}

  /** Does what was postponed. */
  async finish(db: Db<Schema>): Promise<void> {
    for (const run of this.#postponed.values()) await run(db)
  }
}

const askOn =
  (connection: PostgresConnection): Ask =>
  async (statement, parameters) =>
    (await connection.run<{ value: number }>(statement, parameters)).rows[0]!.value

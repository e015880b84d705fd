import { setImmediate as turnEnd } from 'node:timers/promises'
import { firstOfTransaction, numbersOfTransaction } from '../commit-order.ts'
import type { Db } from '../db.ts'
import type { Counter, Group } from '../group.ts'
import type { PostgresConnection } from './connections.ts'

/** Runs a statement that returns a number. */
type Ask = (statement: string, parameters: readonly unknown[]) => Promise<number>

/** The numbers that a unit of work assigns from a counter in commit order. */
interface Numbers {
  readonly first: number
  assigned: number
}

/** A counter in a row that a unit of work has counted: nobody else counts it until the unit ends. */
interface UnitCounter {
  last: number
  /** The value in the row. */
  readonly stored: number
}

/** The writes that a unit of work makes once, however often it asks for them. Each unit is a group of its own. */
export class UnitWrites<Schema> implements Group<Schema> {
  readonly #connection: PostgresConnection
  readonly #ask: Ask
  readonly #askBeside: Ask
  readonly #postponed = new Map<string, (db: Db<Schema>) => Promise<unknown>>()
  readonly #numbers = new Map<Counter, Numbers>()
  readonly #counted = new Map<Counter, Map<string, Promise<UnitCounter>>>()

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
    const counted = await this.#countedIn(counter, row)
    return ++counted.last
  }

  /**
   * The first number is taken in the row, which is locked from then on; later ones are counted here, and stored at the
   * end.
   */
  #countedIn(counter: Counter, row: string): Promise<UnitCounter> {
    const rows = this.#counted.get(counter) ?? new Map<string, Promise<UnitCounter>>()
    this.#counted.set(counter, rows)
    const existing = rows.get(row)
    if (existing !== undefined) return existing
    const { table, column, id } = counter
    const statement = `update ${table} set ${column} = ${column} + 1 where ${id} = $1 returning ${column} as value`
    const counted = this.#ask(statement, [row]).then(stored => ({ last: stored - 1, stored }))
    rows.set(row, counted)
    return counted
  }

  /**
   * The numbers of a transaction lie between its id and the next one. If they do not suffice, further ids are taken by
   * transactions on another connection: until this transaction ends, nobody reads past its own numbers.
   */
  async #nextByCommit(counter: Counter, row: string): Promise<number> {
    const { table, column, id } = counter
    let numbers = this.#numbers.get(counter)
    if (numbers === undefined || numbers.assigned === numbersOfTransaction) {
      const ask = numbers === undefined ? this.#ask : this.#askBeside
      const first = await ask(`select ${column} + ${firstOfTransaction} as value from ${table} where ${id} = $1`, [row])
      numbers = { first, assigned: 0 }
      this.#numbers.set(counter, numbers)
    }
    return numbers.first + numbers.assigned++
  }

  async raise(counter: Counter, row: string, min: number): Promise<void> {
    const counted = await this.#counted.get(counter)?.get(row)
    if (counted !== undefined) counted.last = Math.max(counted.last, min)
    const { table, column, id } = counter
    await this.#connection.run(`update ${table} set ${column} = greatest(${column}, $2) where ${id} = $1`, [row, min])
  }

  postpone(key: string, run: (db: Db<Schema>) => Promise<unknown>): void {
    if (!this.#postponed.has(key)) this.#postponed.set(key, run)
  }

  /** Queries already yield to the event loop; computation between them does not. */
  async turn(): Promise<void> {
    await turnEnd()
  }

  /** Stores the counts, and makes the postponed writes. */
  async finish(db: Db<Schema>): Promise<void> {
    for (const [{ table, column, id }, rows] of this.#counted)
      for (const [row, counting] of rows) {
        const { last, stored } = await counting
        const store = `update ${table} set ${column} = $2 where ${id} = $1`
        if (last > stored) await this.#connection.send(store, [row, last])
      }
    for (const run of this.#postponed.values()) await run(db)
  }
}

const askOn =
  (connection: PostgresConnection): Ask =>
  async (statement, parameters) =>
    (await connection.run<{ value: number }>(statement, parameters)).rows[0]!.value

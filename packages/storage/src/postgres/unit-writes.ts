import type { Db } from '../db.ts'
import type { Counter, Group } from '../group.ts'
import type { PostgresConnection } from './connections.ts'

/** What a unit of work writes once, however often it asks for it. Each unit is a group of its own. */
export class UnitWrites<Schema> implements Group<Schema> {
  readonly #connection: PostgresConnection
  readonly #postponed = new Map<string, (db: Db<Schema>) => Promise<unknown>>()

  constructor(connection: PostgresConnection) {
    this.#connection = connection
  }

  async next({ table, column, id }: Counter, row: string): Promise<number> {
    const { rows } = await this.#connection.run<{ value: number }>(
      `update ${table} set ${column} = ${column} + 1 where ${id} = $1 returning ${column} as value`,
      [row],
    )
    return rows[0]!.value
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

import type { Database } from '../../storage/database.ts'

/** The shortest time between two looks at all depths, ms. */
const betweenMs = 200

/** Counts how often the queue of a board grew to the alert threshold (knowledge-graph 4.8). */
export class DepthAlarm {
  readonly #database: Database
  readonly #threshold: () => number
  #loud: ReadonlySet<string> = new Set()
  #lookedAt = Number.NEGATIVE_INFINITY
  #fired = 0

  constructor(database: Database, threshold: () => number) {
    this.#database = database
    this.#threshold = threshold
  }

  /** How often a board's depth rose to the threshold since the process began. */
  get fired(): number {
    return this.#fired
  }

  /** Looks at the depths, unless it just did. */
  async look(): Promise<void> {
    const now = performance.now()
    if (now - this.#lookedAt < betweenMs) return
    this.#lookedAt = now
    const rows = await this.#database.read(db =>
      db
        .selectFrom('kg_queue')
        .select('board_id')
        .where('status', 'in', ['pending', 'claimed'])
        .groupBy('board_id')
        .having(({ fn }) => fn.countAll(), '>=', this.#threshold())
        .execute(),
    )
    const loud = new Set(rows.map(({ board_id }) => board_id))
    this.#fired += loud.difference(this.#loud).size
    this.#loud = loud
  }
}

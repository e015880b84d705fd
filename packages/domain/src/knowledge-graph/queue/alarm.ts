import type { Database } from '../../storage/database.ts'

/** The shortest time between two looks at all depths, ms. */
const betweenMs = 200

/** Counts how often the queue of a board grew to the alert threshold (knowledge-graph 4.8). */
export class DepthAlarm {
  readonly #database: Database
  readonly #threshold: () => number
  readonly #onFault: (error: unknown) => void
  #loud: ReadonlySet<string> = new Set()
  #lookedAt = Number.NEGATIVE_INFINITY
  #fired = 0
  #timer: NodeJS.Timeout | undefined

  constructor(database: Database, threshold: () => number, onFault: (error: unknown) => void) {
    this.#database = database
    this.#threshold = threshold
    this.#onFault = onFault
  }

  /** How often a board's depth rose to the threshold since the process began. */
  get fired(): number {
    return this.#fired
  }

  /** Looks at the depths, or a little later when it just did. */
  async look(): Promise<void> {
    const wait = this.#lookedAt + betweenMs - performance.now()
    if (wait > 0) {
      this.#timer ??= setTimeout(() => this.#lookAgain(), wait).unref()
      return
    }
    this.#lookedAt = performance.now()
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

  /** Looks no more. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #lookAgain(): void {
    this.#timer = undefined
    this.look().catch(this.#onFault)
  }
}

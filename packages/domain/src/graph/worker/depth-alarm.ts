import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Database } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

/** The shortest time between two looks, ms. */
const betweenMs = 200

/** The boards among some whose depth is at the threshold: no entry beyond it is counted. */
const boardsAt = hot<{ boards: string; threshold: number }, { board_id: string }>(
  (_, param) =>
    sql<{ board_id: string }>`select b.id as board_id from boards b
      where ${dialect.inList(sql.ref('b.id'), param('boards'))}
        and (select count(*) from (select 1 from kg_queue where board_id = b.id
          and status in ('pending', 'claimed') limit ${param('threshold')}) entries) >= ${param('threshold')}`,
)

/** Counts how often the queue of a board grew to the alert threshold (knowledge-graph 4.8). */
export class DepthAlarm {
  readonly #database: Database
  readonly #threshold: () => number
  readonly #onFault: (error: unknown) => void
  /** Boards whose depth may have changed since the last look; null for any. */
  #changed: ReadonlySet<string> | null = null
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

  /** The queues of these boards changed; when none are given, that of any may have. */
  changed(boardIds?: ReadonlySet<string>): void {
    this.#changed = boardIds === undefined ? null : (this.#changed?.union(boardIds) ?? null)
  }

  /** Looks at the depths that changed, or a little later when it just did. */
  async look(): Promise<void> {
    const wait = this.#lookedAt + betweenMs - performance.now()
    if (wait > 0) {
      this.#timer ??= setTimeout(() => this.#lookAgain(), wait).unref()
      return
    }
    this.#lookedAt = performance.now()
    const changed = this.#changed
    this.#changed = new Set()
    const rows = await this.#database.read(async db => {
      const boards = changed ?? (await db.selectFrom('boards').select('id').execute()).map(({ id }) => id)
      return boardsAt(db, { boards: JSON.stringify([...this.#loud, ...boards]), threshold: this.#threshold() })
    })
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

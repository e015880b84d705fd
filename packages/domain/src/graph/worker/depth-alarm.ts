import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { ReadWrite } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

/**
 * The minimum time between two checks, ms, and how many times as long as a check it must be: checking reads long
 * queues.
 */
const minIntervalMs = 200
const timesItsLength = 20

/** The boards among these whose depth has reached the threshold; entries beyond it are not counted. */
const boardsAt = hot<{ boards: string; threshold: number }, { board_id: string }>(
  (_, param) =>
    sql<{ board_id: string }>`select b.id as board_id from boards b
      where ${dialect.inList(sql.ref('b.id'), param('boards'))}
        and (select count(*) from (select 1 from kg_queue where board_id = b.id
          and status in ('pending', 'claimed') limit ${param('threshold')}) entries) >= ${param('threshold')}`,
)

/** Counts how often the queue of a board reached the alert threshold (knowledge-graph 4.8). */
export class DepthAlarm {
  readonly #database: ReadWrite
  readonly #threshold: () => number
  readonly #onFault: (error: unknown) => void
  /** Boards whose depth may have changed since the last check; null for all boards. */
  #changed: ReadonlySet<string> | null = null
  #atThreshold: ReadonlySet<string> = new Set()
  /** When the next check may begin. */
  #nextAt = Number.NEGATIVE_INFINITY
  #fired = 0
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(database: ReadWrite, threshold: () => number, onFault: (error: unknown) => void) {
    this.#database = database
    this.#threshold = threshold
    this.#onFault = onFault
  }

  /** How often the depth of a board has reached the threshold since the process started. */
  get fired(): number {
    return this.#fired
  }

  /** Call when the queues of these boards have changed; without boards, any queue may have. */
  changed(boardIds?: ReadonlySet<string>): void {
    this.#changed = boardIds === undefined ? null : (this.#changed?.union(boardIds) ?? null)
  }

  /** Checks the depths that changed; soon after the last check, it waits a little first. */
  async check(): Promise<void> {
    if (this.#isStopped) return
    const began = performance.now()
    const wait = this.#nextAt - began
    if (wait > 0) {
      this.#timer ??= setTimeout(() => this.#checkAgain(), wait).unref()
      return
    }
    this.#nextAt = began + minIntervalMs
    const changed = this.#changed
    this.#changed = new Set()
    const rows = await this.#database.read(async db => {
      const boards = changed ?? (await db.selectFrom('boards').select('id').execute()).map(({ id }) => id)
      return boardsAt(db, { boards: JSON.stringify([...this.#atThreshold, ...boards]), threshold: this.#threshold() })
    })
    this.#nextAt = Math.max(this.#nextAt, began + timesItsLength * (performance.now() - began))
    const atThreshold = new Set(rows.map(({ board_id }) => board_id))
    this.#fired += atThreshold.difference(this.#atThreshold).size
    this.#atThreshold = atThreshold
  }

  /** Stops checking. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #checkAgain(): void {
    this.#timer = undefined
    this.check().catch(this.#onFault)
  }
}

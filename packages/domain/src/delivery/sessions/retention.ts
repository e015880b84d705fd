/** Sessions that are over for a day are forgotten (harness 3.2). */
import { sql } from 'kysely'
import { RepeatedWork } from '../../lib/repeated-work.ts'
import type { ReadWrite } from '../../schema/database.ts'
import { sessionsOver } from './store.ts'

/** How often what is over is looked for, ms. */
const everyMs = 3_600_000

/** Rows that are removed in one unit of work. */
const atOnce = 500

/** Removes sessions that are over. */
export class SessionRetention {
  readonly #database: ReadWrite
  readonly #clock: () => number
  readonly #work: RepeatedWork

  constructor(parts: {
    readonly database: ReadWrite
    readonly clock: () => number
    readonly onFault: (error: unknown) => void
  }) {
    this.#database = parts.database
    this.#clock = parts.clock
    this.#work = new RepeatedWork({ act: () => this.run(), everyMs, onFault: parts.onFault })
  }

  start(): void {
    this.#work.start()
  }

  stop(): Promise<void> {
    return this.#work.stop()
  }

  /** Removes what is over now. */
  async run(): Promise<void> {
    const before = sessionsOver(new Date(this.#clock()).toISOString())
    const due = sql`select id from client_sessions where expires_at < ${before} limit ${sql.lit(atOnce)}`
    const isDue = await this.#database.read(async db => (await due.execute(db)).rows.length > 0)
    for (let removed = isDue ? atOnce : 0; removed === atOnce; )
      removed = await this.#database.write(async db => {
        const { numAffectedRows = 0n } = await sql`delete from client_sessions where id in (${due})`.execute(db)
        return Number(numAffectedRows)
      })
  }
}

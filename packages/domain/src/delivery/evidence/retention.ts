/**
 * Cases of reports are kept for a limited time; those that a scenario names are kept forever (evidence 2, rule 9). Runs
 * that nobody ended expire (evidence 5).
 */
import { sql } from 'kysely'
import type { Follower } from '../../kernel/followers/follower.ts'
import { RepeatedWork } from '../../kernel/followers/repeated-work.ts'
import { whileDue } from '../../kernel/followers/while-due.ts'
import type { ReadWrite } from '../../schema/database.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { removeSomeCases } from './store.ts'

/** How often expired cases are looked for, ms. */
const everyMs = 3_600_000

/** Cases removed in one unit of work. */
const atOnce = 500

const dayMs = 86_400_000

/** The age at which a report that is still being stored counts as left behind by a crash, ms. */
const abandonedMs = 3_600_000

/** The lowest id that can be created at a time: ids begin with the time, in hexadecimal digits. */
function firstIdAt(time: number): string {
  const digits = time.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** Removes expired cases, and ends expired runs. */
export class EvidenceRetention implements Follower {
  readonly #database: ReadWrite
  readonly #days: number
  readonly #clock: () => number
  readonly #work: RepeatedWork

  constructor(options: {
    readonly database: ReadWrite
    readonly days: number
    readonly clock: () => number
    readonly onFault: (error: unknown) => void
  }) {
    this.#database = options.database
    this.#days = options.days
    this.#clock = options.clock
    this.#work = new RepeatedWork({ act: () => this.run(), everyMs, onFault: options.onFault })
  }

  start(): void {
    // Only a process that was killed can have left some behind.
    this.#work.start(() => this.removeAbandoned())
  }

  stop(): Promise<void> {
    return this.#work.stop()
  }

  /** Ends and removes everything that has expired. */
  async run(): Promise<void> {
    await this.#expireRuns()
    const before = new Date(this.#clock() - this.#days * dayMs).toISOString()
    for (;;) {
      const [due] = await this.#database.read(db =>
        db
          .selectFrom('test_reports')
          .select('id')
          // A literal, so that the index of the reports that still have cases is used.
          .where(sql<boolean>`cases_kept = 1`)
          .where('created_at', '<', before)
          .orderBy('created_at')
          .limit(1)
          .execute(),
      )
      if (due === undefined) return
      await this.#forget(due.id)
    }
  }

  /** Ends runs that nobody ended in time: what they would have shown stays open. */
  async #expireRuns(): Promise<void> {
    const now = new Date(this.#clock()).toISOString()
    const due = sql`select id from proof_runs
      where status = 'running' and expires_at <= ${now} order by expires_at limit ${atOnce}`
    await whileDue(this.#database, {
      atOnce,
      isAnyDue: async db => (await due.execute(db)).rows.length > 0,
      act: async db => {
        const { numAffectedRows = 0n } =
          await sql`update proof_runs set status = 'expired', hook_key = null where id in (${due})`.execute(db)
        return Number(numAffectedRows)
      },
    })
  }

  /** Removes the cases of reports that were not stored completely because of a crash (evidence 2). */
  async removeAbandoned(): Promise<void> {
    const before = firstIdAt(this.#clock() - abandonedMs)
    for (let last = ''; ; ) {
      const [next] = await this.#database.read(async db => {
        const { rows } = await sql<{ report_id: string; stored: string | null }>`
          select c.report_id, (select r.id from test_reports r where r.id = c.report_id and ${sameBoard('r', 'c')}) as stored
          from test_cases c where c.report_id > ${last} and c.report_id < ${before} order by c.report_id limit 1`.execute(
          db,
        )
        return rows
      })
      if (next === undefined) return
      last = next.report_id
      for (let removed = next.stored === null ? atOnce : 0; removed === atOnce; )
        removed = await this.#database.write(db => removeSomeCases(db, last, atOnce))
    }
  }

  async #forget(report: string): Promise<void> {
    for (let removed = atOnce; removed === atOnce; )
      removed = await this.#database.write(async db => {
        const { numAffectedRows = 0n } = await sql`delete from test_cases where report_id = ${report} and position in (
          select position from test_cases where report_id = ${report} and is_named = 0 limit ${atOnce})`.execute(db)
        return Number(numAffectedRows)
      })
    await this.#database.write(async db => {
      await db.updateTable('test_reports').set({ cases_kept: 0 }).where('id', '=', report).execute()
    })
  }
}

/** Sessions that have been over for a day are removed (harness 3.2). */
import { sql } from 'kysely'
import { RepeatedWork } from '../../kernel/followers/repeated-work.ts'
import { whileDue } from '../../kernel/followers/while-due.ts'
import type { ReadWrite } from '../../schema/database.ts'
import { sessionsOver } from './store.ts'

/** How often expired sessions are removed, ms. */
const everyMs = 3_600_000

/** Rows that are removed in one unit of work. */
const atOnce = 500

/** Removes sessions that are over. */
export const sessionRetention = (
  database: ReadWrite,
  clock: () => number,
  onFault: (error: unknown) => void,
): RepeatedWork => new RepeatedWork({ act: () => removeOver(database, clock()), everyMs, onFault })

async function removeOver(database: ReadWrite, now: number): Promise<void> {
  const before = sessionsOver(new Date(now).toISOString())
  const due = sql`select id from client_sessions where expires_at < ${before} limit ${sql.lit(atOnce)}`
  await whileDue(database, {
    atOnce,
    isAnyDue: async db => (await due.execute(db)).rows.length > 0,
    act: async db => {
      const { numAffectedRows = 0n } = await sql`delete from client_sessions where id in (${due})`.execute(db)
      return Number(numAffectedRows)
    },
  })
}

/** Checks and repairs the counts of lists. */
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { type CountedTable, countAll, countedTables, segmentOf } from './list-counts.ts'

/** What the rows of a table count as, given the existing segments. */
const counted = (table: CountedTable): string => `select board_id, '${table.kind}' as kind,
  ${segmentOf(table, 'r')} as since, status, archived, count(*) as count from ${table.table} r${table.where === undefined ? '' : ` where ${table.where('r')}`} group by 1, 2, 3, 4, 5`

/** The number of wrong counts: each count is the number of records in one status and one segment of a list. */
export async function countFalse(db: Db): Promise<number> {
  let wrong = 0
  for (const table of countedTables) {
    const [stored, right] = [`select * from list_counts where kind = '${table.kind}'`, counted(table)]
    const { rows } = await sql<{ wrong: number }>`select count(*) as wrong from (
      select distinct board_id, since, status, archived from (
        select * from (${sql.raw(stored)} except ${sql.raw(right)}) surplus
        union all select * from (${sql.raw(right)} except ${sql.raw(stored)}) missing) different) wrong`.execute(db)
    wrong += rows[0]!.wrong
  }
  return wrong
}

/** Recomputes all counts. */
export async function recount(db: Db): Promise<void> {
  await db.deleteFrom('list_counts').execute()
  for (const table of countedTables) await sql.raw(countAll(table)).execute(db)
}

/** Whether the counts of lists are true, and their repair. */
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { type CountedTable, countAll, countedTables, stretchOf } from './list-counts.ts'

/** What the rows of a table are counted as, in the stretches that there are. */
const counted = (table: CountedTable): string => `select board_id, '${table.kind}' as kind,
  ${stretchOf(table, 'r')} as since, status, archived, count(*) as count from ${table.table} r${table.where === undefined ? '' : ` where ${table.where('r')}`} group by 1, 2, 3, 4, 5`

/** The number of counts that are not true: each is the number of records in a status and a stretch of a list. */
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

/** Counts everything anew. */
export async function recount(db: Db): Promise<void> {
  await db.deleteFrom('list_counts').execute()
  for (const table of countedTables) await sql.raw(countAll(table)).execute(db)
}

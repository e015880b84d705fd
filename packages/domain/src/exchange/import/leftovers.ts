import type { Unit } from '../../kernel/context.ts'
import type { ReadWrite } from '../../schema/database.ts'
import { giveUp } from '../../workspace/boards/removal.ts'
import { queueRecords, recordsOf } from './queue.ts'

/** At the start: what an earlier process did not finish is left to be removed, what it finished is queued for the graph. */
export async function settleImports(database: ReadWrite, unit: Unit): Promise<void> {
  const rows = await database.read(db => db.selectFrom('imports').selectAll().execute())
  const write: ReadWrite['write'] = run => database.write(run)
  for (const { id, board_id, written } of rows) {
    if (written === 1) await queueRecords(write, board_id, await database.read(db => recordsOf(db, board_id)), unit)
    await database.write(async db => {
      if (written === 0) await giveUp(db, board_id)
      await db.deleteFrom('imports').where('id', '=', id).execute()
    })
  }
}

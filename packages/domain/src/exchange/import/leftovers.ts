import type { AttachmentFiles } from '../../delivery/attachments/files/files.ts'
import { removeUnnamedFiles } from '../../delivery/attachments/removal.ts'
import type { Unit } from '../../kernel/context.ts'
import type { ReadWrite } from '../../schema/database.ts'
import { giveUp } from '../../workspace/boards/removal.ts'
import { queueRecords, recordsOf } from './queue.ts'
import { place } from './staged.ts'

/**
 * At the start: what an earlier process gathered goes, what it wrote of a new board is left to be removed, what it began
 * to put in place is finished, and what is complete is queued for the graph.
 */
export async function settleImports(database: ReadWrite, files: AttachmentFiles, unit: Unit): Promise<void> {
  const rows = await database.read(db => db.selectFrom('imports').selectAll().execute())
  const write: ReadWrite['write'] = run => database.write(run)
  for (const { id, board_id, written, staged } of rows) {
    const isPart = staged === null && written === 0
    if (staged === 'placing') await place(write, { id, boardId: board_id }, unit)
    if (staged === 'gathering') await removeUnnamedFiles(database, files, board_id)
    else if (!isPart) await queueRecords(write, board_id, await database.read(db => recordsOf(db, board_id)), unit)
    await database.write(async db => {
      if (isPart) await giveUp(db, board_id)
      await db.deleteFrom('imports').where('id', '=', id).execute()
    })
  }
}

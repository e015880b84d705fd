import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../schema/database.ts'
import { removedOwner } from '../../schema/removed-owner.ts'
import { updateRow } from '../../schema/rows.ts'
import { removedAtOnce } from '../../schema/rows-of-board.ts'

/** Marks a board for removal, with its id as its key: an id is not a valid key, so no other board can have it. */
export const markForRemoval = (db: Db, boardId: string): Promise<unknown> =>
  updateRow(db, 'boards', boardId, { owner_id: removedOwner, key: boardId })

/**
 * Deletes a board (access 3.2): at once for everybody, because nobody owns it or has access to it any more; its rows
 * and files are removed in the background.
 */
export async function removeBoard({ db, environment, afterCommit }: Context, boardId: string): Promise<void> {
  for (const table of removedAtOnce) await sql`delete from ${sql.table(table)} where board_id = ${boardId}`.execute(db)
  await db.deleteFrom('guidelines').where('board_id', '=', boardId).where('scope', '=', 'inline').execute()
  await db.updateTable('guidelines').set({ board_id: null }).where('board_id', '=', boardId).execute()
  await db.updateTable('webhooks').set({ active: 0 }).where('board_id', '=', boardId).execute()
  await markForRemoval(db, boardId)
  afterCommit.push(() => void environment.removals.run())
}

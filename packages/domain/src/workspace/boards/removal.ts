import { queueFilesOf } from '../../delivery/attachments/removal.ts'
import type { Context } from '../../kernel/context.ts'

/**
 * Deletes a board with everything on it (access 3.2). Rows that refer to it are deleted by foreign key; this deletes
 * the rest, which are the files of its attachments and its inline guidelines.
 */
export async function removeBoard(ctx: Context, boardId: string): Promise<void> {
  await queueFilesOf(ctx, 'board_id', boardId)
  await ctx.db.deleteFrom('guidelines').where('board_id', '=', boardId).where('scope', '=', 'inline').execute()
  await ctx.db.deleteFrom('boards').where('id', '=', boardId).execute()
}

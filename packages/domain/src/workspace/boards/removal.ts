import { queueFilesOf } from '../../delivery/attachments/removal.ts'
import type { Context } from '../../kernel/context.ts'

/**
 * Deletes a board with everything on it (access 3.2). What refers to its row goes with it; here goes what does
 * not: the files of its attachments and the guidelines bound to it.
 */
export async function removeBoard(ctx: Context, boardId: string): Promise<void> {
  await queueFilesOf(ctx, 'board_id', boardId)
  await ctx.db.deleteFrom('guidelines').where('board_id', '=', boardId).where('scope', '=', 'inline').execute()
  await ctx.db.deleteFrom('boards').where('id', '=', boardId).execute()
}

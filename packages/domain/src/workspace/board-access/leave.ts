import type { Context } from '../../kernel/context.ts'
import { findGrant, removeGrant } from './grants.ts'
import { followLent } from './lent-ways.ts'
import { findShare, removeShare } from './shares.ts'

/**
 * Removes the caller's grant and share of the addressed board, so that the board is no longer visible to it (trust 2).
 * @returns whether there was a grant or share
 */
export async function leaveBoard(ctx: Context): Promise<boolean> {
  const grant = await findGrant(ctx.db, { agent_id: ctx.caller.id, board_id: ctx.boardId })
  const share = await findShare(ctx.db, ctx.boardId, ctx.caller.id)
  if (grant !== undefined) await removeGrant(ctx, grant)
  if (share !== undefined) await removeShare(ctx, share)
  await followLent(ctx, ctx.caller.id, ctx.boardId)
  return grant !== undefined || share !== undefined
}

import { endUnseenClaims } from '../../delivery/claims/end.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { SharesTable } from '../../schema/tables.ts'

const shareById = hot<{ id: string }, SharesTable>((db, param) =>
  db.selectFrom('shares').selectAll().where('id', '=', param('id')),
)

const shareByAgent = hot<{ board: string; agent: string }, SharesTable>((db, param) =>
  db.selectFrom('shares').selectAll().where('board_id', '=', param('board')).where('user_id', '=', param('agent')),
)

/**
 * A share by id.
 * @throws DomainError NOT_FOUND
 */
export async function readShare(db: Db, id: string): Promise<SharesTable> {
  const [share] = await shareById(db, { id })
  if (share === undefined) throw notFound('share', id)
  return share
}

/** An agent's share of a board; undefined when it has none. */
export async function findShare(db: Db, board: string, agent: string): Promise<SharesTable | undefined> {
  const [share] = await shareByAgent(db, { board, agent })
  return share
}

/** Removes a share, and everything that depends on visibility of the board. */
export async function removeShare(ctx: Context, share: SharesTable): Promise<void> {
  await ctx.db.deleteFrom('shares').where('id', '=', share.id).execute()
  await recordShare(ctx, 'board_unshared', share, share.permission)
  await endUnseenClaims(ctx, share.user_id, share.board_id)
}

/** Appends an entry about a share to the board's activity (access 14). */
export const recordShare = (ctx: Context, action: string, share: SharesTable, permission: unknown): Promise<void> =>
  ctx.record({
    boardId: share.board_id,
    entity: { type: 'board', id: share.board_id },
    activity: { action, details: { share_id: share.id, user_id: share.user_id, permission } },
  })

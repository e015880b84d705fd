import { endUnseenClaims } from '../../delivery/claims/end.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
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

/** Shares a board with an agent, and records it. */
export async function addShare(
  ctx: Context,
  shared: Pick<SharesTable, 'board_id' | 'user_id' | 'permission' | 'shared_by'>,
): Promise<SharesTable> {
  const share: SharesTable = { id: ctx.newId(), ...shared, created_at: ctx.now() }
  await insertRow(ctx.db, 'shares', share)
  await recordShare(ctx, 'board_shared', share, share.permission)
  return share
}

/** Changes the level of a share, and records it. */
export async function changeShare(
  ctx: Context,
  share: SharesTable,
  permission: SharesTable['permission'],
): Promise<void> {
  await updateRow(ctx.db, 'shares', share.id, { permission })
  await recordShare(ctx, 'board_share_updated', share, [share.permission, permission])
}

/** Removes a share, and everything that depends on visibility of the board. */
export async function removeShare(ctx: Context, share: SharesTable): Promise<void> {
  await ctx.db.deleteFrom('shares').where('id', '=', share.id).execute()
  await recordShare(ctx, 'board_unshared', share, share.permission)
  await endUnseenClaims(ctx, share.user_id, share.board_id)
}

/** Appends an entry about a share to the board's activity (access 14). */
const recordShare = (ctx: Context, action: string, share: SharesTable, permission: unknown): Promise<void> =>
  ctx.record({
    boardId: share.board_id,
    entity: { type: 'board', id: share.board_id },
    activity: { action, details: { share_id: share.id, user_id: share.user_id, permission } },
  })

import type { features } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid, selfChange } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { paged, window } from '../../kernel/page.ts'
import { hot } from '../../schema/hot.ts'
import type { SharesTable } from '../../schema/tables.ts'
import { leaveBoard } from '../board-access/leave.ts'
import { followLent } from '../board-access/lent-ways.ts'
import { addShare, changeShare, findShare, readShare, removeShare } from '../board-access/shares.ts'

type Boards = typeof features.boards

const listed = hot<{ board: string; limit: number; offset: number }, SharesTable>((db, param) =>
  db
    .selectFrom('shares')
    .selectAll()
    .where('board_id', '=', param('board'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(param('limit'))
    .offset(param('offset')),
)

const counted = hot<{ board: string }, { count: number }>((db, param) =>
  db
    .selectFrom('shares')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board')),
)

/** A share as answered. */
export const shareOf = (row: SharesTable) => ({ ...row, realm_id: '' as const })

/** Shares a board with an active agent other than its owner and the caller. */
export const createBoardShare: Implementation<Boards['create_board_share']> = async ({ body }, ctx) => {
  await checkSharedWith(ctx, body.user_id)
  const standing = await findShare(ctx.db, ctx.boardId, body.user_id)
  if (standing !== undefined) {
    throw blocked('ALREADY_SHARED', 'The agent has a share of this board. PATCH that share to change its permission.', {
      share_id: standing.id,
    })
  }
  const { user_id, permission } = body
  const share = await addShare(ctx, { board_id: ctx.boardId, user_id, permission, shared_by: ctx.caller.id })
  await followLent(ctx, share.user_id, share.board_id)
  return shareOf(share)
}

/** The shares of a board, oldest first. */
export const listBoardShares: Implementation<Boards['list_board_shares']> = async ({ query }, ctx) => {
  const board = ctx.boardId
  const rows = await listed(ctx.db, { board, ...window(query) })
  return paged(rows, query, async () => (await counted(ctx.db, { board }))[0]!.count, shareOf)
}

/** Changes the level of a share. */
export const updateBoardShare: Implementation<Boards['update_board_share']> = async ({ params, body }, ctx) => {
  const share = await readShare(ctx.db, params.share_id)
  if (share.user_id === ctx.caller.id) throw selfChange('You cannot change your own share', ['permission'])
  const { permission } = body
  if (permission !== share.permission) {
    await changeShare(ctx, share, permission)
    await followLent(ctx, share.user_id, share.board_id)
  }
  return shareOf({ ...share, permission })
}

/** Removes a share. The caller's own is removed together with its grant, so that it leaves the board (trust 2). */
export const deleteBoardShare: Implementation<Boards['delete_board_share']> = async ({ params }, ctx) => {
  const share = await readShare(ctx.db, params.share_id)
  if (share.user_id === ctx.caller.id) {
    await leaveBoard(ctx)
    return
  }
  ctx.require('BOARDS_SHARE')
  await removeShare(ctx, share)
  await followLent(ctx, share.user_id, share.board_id)
}

async function checkSharedWith(ctx: Context, userId: string): Promise<void> {
  if (userId === ctx.caller.id) throw invalid('user_id', 'You cannot share a board with yourself.')
  const agent = await ctx.db
    .selectFrom('agents')
    .select(eb => eb.selectFrom('boards').select('owner_id').where('id', '=', ctx.boardId).as('owner_id'))
    .where('id', '=', userId)
    .where('is_active', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (agent === undefined) throw invalid('user_id', `${userId} is not the id of an active agent.`)
  if (agent.owner_id === userId) throw invalid('user_id', "The board's owner needs no share.")
}

import type { features } from '@specboard/contract'
import type { Context } from '../context.ts'
import { blocked, invalid } from '../errors.ts'
import type { Implementation } from '../implement.ts'
import { insertRow } from '../storage/rows.ts'
import type { SharesTable } from '../storage/schema.ts'

type Boards = typeof features.boards

const shareOf = (row: SharesTable) => ({ ...row, realm_id: '' as const })

/** Shares a board with an active agent other than its owner and the caller. */
export const createBoardShare: Implementation<Boards['create_board_share']> = async ({ body }, ctx) => {
  await checkSharedWith(ctx, body.user_id)
  const standing = await ctx.db
    .selectFrom('shares')
    .select('id')
    .where('board_id', '=', ctx.boardId)
    .where('user_id', '=', body.user_id)
    .executeTakeFirst()
  if (standing !== undefined) {
    throw blocked('ALREADY_SHARED', 'The agent has a share of this board. PATCH that share to change its permission.', {
      share_id: standing.id,
    })
  }
  const share: SharesTable = {
    id: ctx.newId(),
    board_id: ctx.boardId,
    user_id: body.user_id,
    permission: body.permission,
    shared_by: ctx.caller.id,
    created_at: ctx.now(),
  }
  await insertRow(ctx.db, 'shares', share)
  await recordShare(ctx, 'board_shared', share, share.permission)
  return shareOf(share)
}

async function checkSharedWith(ctx: Context, userId: string): Promise<void> {
  if (userId === ctx.caller.id) throw invalid('user_id', 'A board is shared with another agent than oneself.')
  const agent = await ctx.db
    .selectFrom('agents')
    .select(eb => eb.selectFrom('boards').select('owner_id').where('id', '=', ctx.boardId).as('owner_id'))
    .where('id', '=', userId)
    .where('is_active', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (agent === undefined) throw invalid('user_id', `${userId} is the id of no active agent.`)
  if (agent.owner_id === userId) throw invalid('user_id', "The board's owner needs no share.")
}

/** Appends an entry about a share to the board's activity. */
const recordShare = (ctx: Context, action: string, share: SharesTable, permission: unknown): Promise<void> =>
  ctx.record({
    boardId: share.board_id,
    entity: { type: 'board', id: share.board_id },
    activity: { action, details: { share_id: share.id, user_id: share.user_id, permission } },
  })

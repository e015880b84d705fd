/** Shares of boards (access 7). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { Id, paging, Timestamp } from '../shared.ts'

/** What a share allows (access 2.2). */
export const ShareLevel = z.enum(['viewer', 'editor', 'admin'])

export const Share = z
  .object({
    id: Id,
    board_id: Id,
    user_id: Id,
    permission: ShareLevel,
    realm_id: z.literal(''),
    shared_by: Id,
    created_at: Timestamp,
  })
  .meta({ id: 'Share' })

export const ShareCreate = z
  .object({ user_id: z.string().min(1).max(255).describe('id of an agent'), permission: ShareLevel.default('viewer') })
  .meta({ id: 'ShareCreate' })

export const ShareUpdate = z.object({ permission: ShareLevel }).meta({ id: 'ShareUpdate' })

const keywords = ['invite', 'collaborate', 'member']

export const create_board_share = operation({
  name: 'create_board_share',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/shares',
  permission: 'BOARDS_SHARE',
  changesAccess: true,
  title: 'Share board',
  description: 'Share a board with an agent.',
  params: { board_id: Id },
  body: ShareCreate,
  response: Share,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ALREADY_SHARED'],
  keywords,
})

export const list_board_shares = operation({
  name: 'list_board_shares',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/shares',
  permission: 'BOARDS_READ',
  title: 'List board shares',
  description: 'List with whom a board is shared, and as what.',
  params: { board_id: Id },
  query: paging,
  list: Share,
  errors: [],
  keywords,
})

export const update_board_share = operation({
  name: 'update_board_share',
  method: 'PATCH',
  path: '/api/v1/boards/{board_id}/shares/{share_id}',
  permission: 'BOARDS_SHARE',
  changesAccess: true,
  title: 'Update board share',
  description: 'Change what a share allows.',
  params: { board_id: Id, share_id: Id },
  body: ShareUpdate,
  response: Share,
  errors: ['SELF_CHANGE'],
  keywords,
})

export const delete_board_share = operation({
  name: 'delete_board_share',
  method: 'DELETE',
  path: '/api/v1/boards/{board_id}/shares/{share_id}',
  permission: 'BOARDS_SHARE',
  changesAccess: true,
  title: 'Delete board share',
  description: 'Revoke a share of a board, or leave the board.',
  params: { board_id: Id, share_id: Id },
  errors: [],
  asks: checkedByImplementation({ permission: 'BOARDS_SHARE', part: 'unless it is a share with oneself' }),
  keywords: [...keywords, 'unshare', 'leave'],
})

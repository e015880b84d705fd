/** Shares of boards (contract: access 7). */
import { z } from 'zod'
import { operation } from './operation.ts'
import { Id, Timestamp } from './shared.ts'

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

const keywords = ['invite', 'collaborate', 'member']

export const create_board_share = operation({
  name: 'create_board_share',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/shares',
  permission: 'BOARDS_SHARE',
  title: 'Share board',
  description: 'Give another agent a share of a board, as viewer, editor or admin.',
  params: { board_id: Id },
  body: ShareCreate,
  response: Share,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ALREADY_SHARED'],
  keywords,
})

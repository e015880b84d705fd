/** Grants: an agent's access to a board, and the permissions it loses there (access 9). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { Id, PermissionFlags, Timestamp } from '../shared.ts'

export const Grant = z
  .object({
    id: Id,
    agent_id: Id,
    board_id: Id,
    granted_by: Id,
    granted_at: Timestamp,
    permission_overrides: PermissionFlags.nullable(),
  })
  .meta({ id: 'Grant' })

/** Body of grant and update. */
export const GrantOverrides = z
  .object({
    permission_overrides: PermissionFlags.nullable().exactOptional().describe('false takes a permission away'),
  })
  .meta({ id: 'GrantOverrides' })

const params = { agent_id: Id, board_id: Id }
const keywords = ['access', 'permission', 'restrict']

export const grant_board_access = operation({
  name: 'grant_board_access',
  method: 'POST',
  path: '/api/v1/agents/{agent_id}/boards/{board_id}',
  permission: 'AGENTS_GRANT',
  changesAccess: true,
  title: 'Grant board access',
  description: 'Let an agent work on a board.',
  params,
  body: GrantOverrides,
  bodyOptional: true,
  response: Grant,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ALREADY_GRANTED', 'SELF_CHANGE'],
  effect: 'repeatable',
  keywords,
})

export const update_board_access = operation({
  name: 'update_board_access',
  method: 'PATCH',
  path: '/api/v1/agents/{agent_id}/boards/{board_id}',
  permission: 'AGENTS_GRANT',
  changesAccess: true,
  title: 'Update board access',
  description: 'Replace what a grant takes away.',
  params,
  body: GrantOverrides,
  response: Grant,
  errors: ['VALIDATION_ERROR', 'SELF_CHANGE'],
  // Checked once the grant is found.
  asks: checkedByImplementation({ permission: 'AGENTS_GRANT' }),
  keywords,
})

export const revoke_board_access = operation({
  name: 'revoke_board_access',
  method: 'DELETE',
  path: '/api/v1/agents/{agent_id}/boards/{board_id}',
  permission: 'AGENTS_GRANT',
  changesAccess: true,
  title: 'Revoke board access',
  description: "Revoke an agent's grant of a board, or leave the board.",
  params,
  errors: [],
  asks: checkedByImplementation({ permission: 'AGENTS_GRANT', part: 'unless it is a grant to oneself' }),
  keywords: [...keywords, 'remove', 'leave'],
})

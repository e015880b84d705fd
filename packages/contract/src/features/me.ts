/** The caller itself (access 11). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { Id, PermissionFlags } from '../shared.ts'
import { list_my_inbox } from './inbox.ts'
import { stream_my_events } from './my-events.ts'
import { ShareLevel } from './shares.ts'

export const MyPermissions = z
  .object({
    agent_id: Id,
    agent_name: z.string(),
    board_id: Id.nullable(),
    preset_id: Id.nullable(),
    preset_name: z.string().nullable(),
    customized: z.boolean(),
    access: z.enum(['owner', 'grant', 'share']).nullable(),
    share_permission: ShareLevel.nullable(),
    flags: PermissionFlags,
  })
  .meta({ id: 'MyPermissions' })

const get_my_permissions = operation({
  name: 'get_my_permissions',
  method: 'GET',
  path: '/api/v1/me/permissions',
  permission: '-',
  title: 'Get my permissions',
  description: 'Get who you are and what you may do.',
  query: { board_id: Id.optional() },
  response: MyPermissions,
  errors: ['NOT_FOUND'],
  keywords: ['whoami', 'identity', 'rights', 'allowed'],
})

export const me = { get_my_permissions, list_my_inbox, stream_my_events } as const

/** The caller itself (access 11). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { Id, PermissionFlags } from '../shared.ts'
import { toolHints } from '../tool-hints.ts'
import { dismiss_inbox_items, list_my_inbox, mark_inbox_items, snooze_inbox_items } from './inbox.ts'
import { stream_my_events } from './my-events.ts'
import { ShareLevel } from './shares.ts'

/** The layer that denies a permission (access 2.3). */
export const DenyingLayer = z.enum(['preset', 'agent', 'share', 'grant', 'override'])

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
    denied_by: z.record(z.string(), DenyingLayer).nullable().describe('with board_id: each flag that is false'),
  })
  .meta({ id: 'MyPermissions' })

const get_my_permissions = operation({
  name: 'get_my_permissions',
  method: 'GET',
  path: '/api/v1/me/permissions',
  permission: '-',
  title: 'Get my permissions',
  description: 'Get who you are and what you may do.',
  query: { board_id: Id.optional(), agent_id: Id.optional().register(toolHints, { hidden: true }) },
  response: MyPermissions,
  errors: ['NOT_FOUND'],
  keywords: ['whoami', 'identity', 'rights', 'allowed'],
})

export const me = {
  get_my_permissions,
  list_my_inbox,
  dismiss_inbox_items,
  snooze_inbox_items,
  mark_inbox_items,
  stream_my_events,
} as const

import type { features } from '@specboard/contract'
import { checkedFlags } from '../../kernel/access/base.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, notFound, selfChange } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { sameJson, toJson } from '../../lib/json.ts'
import type { Flags } from '../../schema/contents.ts'
import { updateRow } from '../../schema/rows.ts'
import { addGrant, findGrant, grantOf, readGrant, recordGrant, removeGrant } from '../board-access/grants.ts'
import { leaveBoard } from '../board-access/leave.ts'
import { followLent } from '../board-access/lent-ways.ts'

type Agents = typeof features.agents

/**
 * Refuses to change the caller's own access to a board (trust 2).
 * @throws DomainError SELF_CHANGE
 */
function refuseOnOneself(ctx: Context, agentId: string): void {
  if (agentId === ctx.caller.id) throw selfChange('You cannot change your access', ['permission_overrides'])
}

/** Gives an agent that the caller sees a grant on a board. */
export const grantBoardAccess: Implementation<Agents['grant_board_access']> = async ({ params, body }, ctx) => {
  const { agent_id, board_id } = params
  refuseOnOneself(ctx, agent_id)
  const overrides = checkedOverrides(body.permission_overrides ?? null)
  if ((await findGrant(ctx.db, params)) !== undefined) {
    throw blocked('ALREADY_GRANTED', 'The agent has access to this board. PATCH the same path to change it.', {
      agent_id,
      board_id,
    })
  }
  const grant = await addGrant(ctx, params, overrides)
  await followLent(ctx, agent_id, board_id)
  return grantOf(grant)
}

/** Replaces the overrides of a grant; if they are absent, nothing changes. */
export const updateBoardAccess: Implementation<Agents['update_board_access']> = async ({ params, body }, ctx) => {
  const grant = await readGrant(ctx.db, params)
  ctx.require('AGENTS_GRANT')
  refuseOnOneself(ctx, params.agent_id)
  const { permission_overrides } = body
  if (permission_overrides === undefined) return grantOf(grant)
  const overrides = checkedOverrides(permission_overrides)
  if (sameJson(overrides, grantOf(grant).permission_overrides)) return grantOf(grant)
  const updated = { ...grant, permission_overrides: toJson(overrides) }
  await updateRow(ctx.db, 'grants', grant.id, { permission_overrides: updated.permission_overrides })
  await recordGrant(ctx, 'agent_access_updated', updated)
  await followLent(ctx, params.agent_id, params.board_id)
  return grantOf(updated)
}

/** Removes a grant. The caller's own is removed together with its share, so that it leaves the board (trust 2). */
export const revokeBoardAccess: Implementation<Agents['revoke_board_access']> = async ({ params }, ctx) => {
  if (params.agent_id === ctx.caller.id) {
    if (!(await leaveBoard(ctx))) throw notFound('grant', params.agent_id)
    return
  }
  const grant = await readGrant(ctx.db, params)
  ctx.require('AGENTS_GRANT')
  await removeGrant(ctx, grant)
  await followLent(ctx, params.agent_id, params.board_id)
}

const checkedOverrides = (overrides: Flags | null): Flags | null =>
  overrides === null ? null : checkedFlags('permission_overrides', overrides)

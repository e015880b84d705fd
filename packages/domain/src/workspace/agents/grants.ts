import type { features } from '@specboard/contract'
import { checkedFlags } from '../../kernel/access/base.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { parseNullable, sameJson, toJson } from '../../lib/json.ts'
import type { Flags } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { GrantsTable } from '../../schema/tables.ts'

type Agents = typeof features.agents

const grantByAgent = hot<{ agent: string; board: string }, GrantsTable>((db, param) =>
  db.selectFrom('grants').selectAll().where('agent_id', '=', param('agent')).where('board_id', '=', param('board')),
)

interface OfAgent {
  readonly agent_id: string
  readonly board_id: string
}

async function findGrant(db: Db, { agent_id, board_id }: OfAgent): Promise<GrantsTable | undefined> {
  const [grant] = await grantByAgent(db, { agent: agent_id, board: board_id })
  return grant
}

async function readGrant(db: Db, of: OfAgent): Promise<GrantsTable> {
  const grant = await findGrant(db, of)
  if (grant === undefined) throw notFound('grant', of.agent_id)
  return grant
}

const grantOf = (row: GrantsTable) => ({
  ...row,
  permission_overrides: parseNullable(row.permission_overrides),
})

/** Gives an agent that the caller sees access to a board. */
export const grantBoardAccess: Implementation<Agents['grant_board_access']> = async ({ params, body }, ctx) => {
  const { agent_id, board_id } = params
  const overrides = checkedOverrides(body.permission_overrides ?? null)
  if ((await findGrant(ctx.db, params)) !== undefined) {
    throw blocked('ALREADY_GRANTED', 'The agent has access to this board. PATCH the same path to change it.', {
      agent_id,
      board_id,
    })
  }
  const grant: GrantsTable = {
    id: ctx.newId(),
    agent_id,
    board_id,
    granted_by: ctx.caller.id,
    granted_at: ctx.now(),
    permission_overrides: toJson(overrides),
  }
  await insertRow(ctx.db, 'grants', grant)
  await recordGrant(ctx, 'agent_granted', grant)
  return grantOf(grant)
}

/** Replaces what a grant takes away; absent overrides change nothing. */
export const updateBoardAccess: Implementation<Agents['update_board_access']> = async ({ params, body }, ctx) => {
  const grant = await readGrant(ctx.db, params)
  ctx.require('AGENTS_GRANT')
  const { permission_overrides } = body
  if (permission_overrides === undefined) return grantOf(grant)
  const overrides = checkedOverrides(permission_overrides)
  if (sameJson(overrides, grantOf(grant).permission_overrides)) return grantOf(grant)
  const updated = { ...grant, permission_overrides: toJson(overrides) }
  await updateRow(ctx.db, 'grants', grant.id, { permission_overrides: updated.permission_overrides })
  await recordGrant(ctx, 'agent_access_updated', updated)
  return grantOf(updated)
}

/** Takes a grant back; an agent may always give up its own. */
export const revokeBoardAccess: Implementation<Agents['revoke_board_access']> = async ({ params }, ctx) => {
  const grant = await readGrant(ctx.db, params)
  if (params.agent_id !== ctx.caller.id) ctx.require('AGENTS_GRANT')
  await ctx.db.deleteFrom('grants').where('id', '=', grant.id).execute()
  await recordGrant(ctx, 'agent_revoked', grant)
}

const checkedOverrides = (overrides: Flags | null): Flags | null =>
  overrides === null ? null : checkedFlags('permission_overrides', overrides)

/** Appends an entry about a grant to the board's activity. */
const recordGrant = (ctx: Context, action: string, grant: GrantsTable): Promise<void> => {
  const { agent_id, permission_overrides } = grantOf(grant)
  return ctx.record({
    boardId: grant.board_id,
    entity: { type: 'board', id: grant.board_id },
    activity: { action, details: { agent_id, permission_overrides } },
  })
}

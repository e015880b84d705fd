import { features } from '@specboard/contract'
import { type Base, checkedFlags, refuseEscalation } from '../../kernel/access/base.ts'
import { newKey, storedKey } from '../../kernel/access/keys.ts'
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { paged, window } from '../../kernel/page.ts'
import { parseNullable, toJson } from '../../lib/json.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { AgentsTable } from '../../schema/tables.ts'
import { findPreset } from '../presets/store.ts'
import { grantBoardAccess, revokeBoardAccess, updateBoardAccess } from './grants.ts'
import {
  agentOf,
  agentSummary,
  basesOf,
  boardAgents,
  newAgent,
  readAgent,
  readWholeAgent,
  visibleAgents,
} from './store.ts'

type Agents = typeof features.agents

const createAgent: Implementation<Agents['create_agent']> = async ({ body }, ctx) => {
  const { name, description = null, objective = null, preset_id = null, permission_flags = null } = body
  await checkPreset(ctx, preset_id)
  const rights = { preset_id, permission_flags: toJson(permission_flags) }
  const base = await judgedBase(ctx, rights)
  const key = newKey()
  const agent = newAgent(key, {
    id: ctx.newId(),
    name,
    description,
    objective,
    ...rights,
    created_by: ctx.caller.id,
    created_at: ctx.now(),
  })
  await insertRow(ctx.db, 'agents', agent)
  await recordAudit(ctx, 'agent_created', agent.id, Object.keys(body))
  return { ...agentOf(agent, base.allowed), api_key: key }
}

const listAgents: Implementation<Agents['list_agents']> = async ({ query }, ctx) => {
  const caller = ctx.caller.id
  const rows = await visibleAgents.rows(ctx.db, { caller, ...window(query) })
  const baseOf = await basesOf(ctx.db, rows)
  return paged(
    rows,
    query,
    () => visibleAgents.count(ctx.db, caller),
    row => agentOf(row, baseOf(row).allowed),
  )
}

const listBoardAgents: Implementation<Agents['list_board_agents']> = async ({ query }, ctx) => {
  const rows = await boardAgents.rows(ctx.db, { board: ctx.boardId, ...window(query) })
  return paged(rows, query, () => boardAgents.count(ctx.db, ctx.boardId), agentSummary)
}

const getAgent: Implementation<Agents['get_agent']> = ({ params }, ctx) => readWholeAgent(ctx.db, params.agent_id)

/** What nobody changes of itself. */
const ownRights = ['is_active', 'permission_flags', 'preset_id'] as const

const updateAgent: Implementation<Agents['update_agent']> = async ({ params, body }, ctx) => {
  const ofOneself = params.agent_id === ctx.caller.id
  ctx.require(ofOneself && Object.keys(body).length > 0 ? 'AGENTS_UPDATE_SELF' : 'AGENTS_UPDATE')
  const fields = ownRights.filter(field => field in body)
  if (ofOneself && fields.length > 0) throw selfChange('Nobody changes its own rights', fields)
  const before = await readAgent(ctx.db, params.agent_id)
  const { preset_id, permission_flags, is_active, ...texts } = body
  if (preset_id !== undefined) await checkPreset(ctx, preset_id)
  const wanted: Partial<AgentsTable> = {
    ...texts,
    ...(is_active !== undefined && { is_active: is_active ? 1 : 0 }),
    // A new preset alone leaves no deviations: the agent is what the preset says.
    ...(preset_id !== undefined && { preset_id, permission_flags: null }),
    ...(permission_flags !== undefined && { permission_flags: toJson(permission_flags) }),
  }
  if (preset_id !== undefined || permission_flags !== undefined) await judgedBase(ctx, { ...before, ...wanted })
  const changed = Object.entries(wanted).filter(([column, value]) => value !== before[column as keyof AgentsTable])
  if (changed.length > 0) {
    await updateRow(ctx.db, 'agents', before.id, Object.fromEntries(changed))
    await recordAudit(
      ctx,
      'agent_updated',
      before.id,
      changed.map(([field]) => field),
    )
  }
  return readWholeAgent(ctx.db, before.id)
}

const regenerateAgentKey: Implementation<Agents['regenerate_agent_key']> = async ({ params }, ctx) => {
  const key = newKey()
  const { key_hash, api_key_prefix } = storedKey(key)
  await updateRow(ctx.db, 'agents', params.agent_id, { key_hash, api_key_prefix })
  await recordAudit(ctx, 'agent_key_regenerated', params.agent_id, ['api_key'])
  return {
    message: 'Keep this key: it is not shown again. The old one is refused from now on.',
    agent_id: params.agent_id,
    api_key: key,
    api_key_prefix,
  }
}

const deleteAgent: Implementation<Agents['delete_agent']> = async ({ params }, ctx) => {
  const { agent_id } = params
  if (agent_id === ctx.caller.id) throw selfChange('Nobody deletes itself', [])
  const owned = await ctx.db
    .selectFrom('boards')
    .select('id')
    .where('owner_id', '=', agent_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  if (owned.length > 0) {
    throw blocked('AGENT_OWNS_BOARDS', 'The agent owns boards. They must be deleted before it.', {
      boards: owned.map(board => board.id),
    })
  }
  await ctx.db.deleteFrom('grants').where('agent_id', '=', agent_id).execute()
  await ctx.db.deleteFrom('shares').where('user_id', '=', agent_id).execute()
  await updateRow(ctx.db, 'agents', agent_id, { key_hash: null, is_active: 0, deleted_at: ctx.now() })
  await recordAudit(ctx, 'agent_deleted', agent_id, [])
}

const selfChange = (refusal: string, fields: readonly string[]) =>
  blocked('SELF_CHANGE', `${refusal}: ask an agent that manages you.`, { fields })

/**
 * Refuses a preset that the caller does not see.
 * @throws DomainError VALIDATION_ERROR
 */
async function checkPreset(ctx: Context, id: string | null): Promise<void> {
  if (id === null || (await findPreset(ctx.db, id, ctx.caller.id)) !== undefined) return
  throw invalid('preset_id', `No preset ${id} is visible to this key. list_presets lists those that are.`)
}

/**
 * The base that a preset and flags give, judged as the caller's own doing.
 * @throws DomainError FORBIDDEN when it holds what the caller's base lacks; VALIDATION_ERROR for an unknown name
 */
async function judgedBase(ctx: Context, rights: Pick<AgentsTable, 'preset_id' | 'permission_flags'>): Promise<Base> {
  const base = (await basesOf(ctx.db, [rights]))(rights)
  refuseEscalation(base.allowed, ctx.caller.base)
  checkedFlags('permission_flags', parseNullable(rights.permission_flags) ?? {})
  return base
}

export const agentOperations = implement(features.agents, {
  create_agent: createAgent,
  list_agents: listAgents,
  list_board_agents: listBoardAgents,
  get_agent: getAgent,
  update_agent: updateAgent,
  regenerate_agent_key: regenerateAgentKey,
  delete_agent: deleteAgent,
  grant_board_access: grantBoardAccess,
  update_board_access: updateBoardAccess,
  revoke_board_access: revokeBoardAccess,
})

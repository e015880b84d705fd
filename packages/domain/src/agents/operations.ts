import { features } from '@specboard/contract'
import { type Base, checkedFlags, type Flags, refuseEscalation } from '../access/base.ts'
import { recordAudit } from '../audit.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { type Implementation, implement } from '../implement.ts'
import { toJson } from '../json.ts'
import { findPreset } from '../presets/store.ts'
import { newKey, storedKey } from '../service/authenticate.ts'
import { insertRow } from '../storage/rows.ts'
import type { AgentsTable } from '../storage/schema.ts'
import { grantBoardAccess } from './grants.ts'
import { agentOf, basesOf } from './store.ts'

type Agents = typeof features.agents

const createAgent: Implementation<Agents['create_agent']> = async ({ body }, ctx) => {
  const { name, description = null, objective = null, preset_id = null, permission_flags = null } = body
  const base = await settledBase(ctx, preset_id, permission_flags)
  const key = newKey()
  const agent: AgentsTable = {
    id: ctx.newId(),
    name,
    description,
    objective,
    is_active: 1,
    preset_id,
    permission_flags: toJson(permission_flags),
    ...storedKey(key),
    created_by: ctx.caller.id,
    created_at: ctx.now(),
    last_used_at: null,
    deleted_at: null,
  }
  await insertRow(ctx.db, 'agents', agent)
  await recordAudit(ctx, 'agent_created', agent.id, Object.keys(body))
  return { ...agentOf(agent, base.allowed), api_key: key }
}

/**
 * The base that a preset and flags give, judged as the caller's own doing.
 * @throws DomainError VALIDATION_ERROR for a preset that the caller does not see or an unknown name;
 *   FORBIDDEN when the base holds what the caller's lacks
 */
async function settledBase(ctx: Context, presetId: string | null, flags: Flags | null): Promise<Base> {
  if (presetId !== null && (await findPreset(ctx.db, presetId, ctx.caller.id)) === undefined) {
    throw invalid('preset_id', `No preset ${presetId} is visible to this key. list_presets lists those that are.`)
  }
  const agent = { preset_id: presetId, permission_flags: toJson(flags) }
  const base = (await basesOf(ctx.db, [agent]))(agent)
  refuseEscalation(base.allowed, ctx.caller.base)
  if (flags !== null) checkedFlags('permission_flags', flags)
  return base
}

export const agentOperations = implement(features.agents, {
  create_agent: createAgent,
  grant_board_access: grantBoardAccess,
})

import type { Permission } from '@specboard/contract'
import { type Base, type Flags, resolveBase } from '../access/base.ts'
import { parseNullable } from '../json.ts'
import { dialect } from '../storage/dialect.ts'
import type { Db } from '../storage/executor.ts'
import type { AgentsTable } from '../storage/schema.ts'

/** The columns of an agent that say what it may do. */
type Rights = Pick<AgentsTable, 'preset_id' | 'permission_flags'>

/** Resolves the bases of some agents, each preset read once. */
export async function basesOf<Row extends Rights>(db: Db, agents: readonly Row[]): Promise<(agent: Row) => Base> {
  const ids = [...new Set(agents.map(agent => agent.preset_id).filter(id => id !== null))]
  const presets = await db
    .selectFrom('presets')
    .select(['id', 'flags'])
    .where(eb => dialect.inList(eb.ref('id'), JSON.stringify(ids)))
    .execute()
  const flagsById = new Map(presets.map(preset => [preset.id, JSON.parse(preset.flags) as Flags]))
  const resolved = new Map<string, Base>()
  return ({ preset_id, permission_flags }) => {
    const key = `${preset_id} ${permission_flags}`
    const flags = preset_id === null ? null : (flagsById.get(preset_id) ?? {})
    const base = resolved.get(key) ?? resolveBase(flags, parseNullable<Flags>(permission_flags))
    resolved.set(key, base)
    return base
  }
}

/** An agent as boards show it. */
export const agentSummary = (row: AgentsTable) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  objective: row.objective,
  is_active: row.is_active === 1,
  preset_id: row.preset_id,
  permission_flags: parseNullable<Record<string, boolean>>(row.permission_flags),
  created_at: row.created_at,
  last_used_at: row.last_used_at,
})

/** An agent with what its base allows; its key is shown by the operations that make one. */
export const agentOf = (row: AgentsTable, allowed: ReadonlySet<Permission>) => ({
  ...agentSummary(row),
  permissions: [...allowed].sort(),
  api_key: null,
  api_key_prefix: row.api_key_prefix,
  created_by: row.created_by,
})

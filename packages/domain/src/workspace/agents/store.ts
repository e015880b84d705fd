import { dialect, type Param } from '@specboard/storage'
import { sql } from 'kysely'
import { type Base, ciBase, resolveBase } from '../../kernel/access/base.ts'
import { storedKey } from '../../kernel/access/keys.ts'
import { managedBy } from '../../kernel/access/managed.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { parseJson, parseNullable } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { AgentsTable } from '../../schema/tables.ts'

/** The fields of a new agent: the required ones and any others. */
type NewAgent = Pick<AgentsTable, 'id' | 'name' | 'handle' | 'created_by' | 'created_at'> & Partial<AgentsTable>

/** The columns of a new key, which never expires and has no predecessor. */
export const keyColumns = (key: string) => ({
  ...storedKey(key),
  key_expires_at: null,
  former_key_hash: null,
  former_key_until: null,
})

/** The columns of a principal without a key. */
export const noKey = {
  key_hash: null,
  api_key_prefix: '',
  key_expires_at: null,
  former_key_hash: null,
  former_key_until: null,
} as const

/** The row of a new agent: active, never used, with Full Control unless `fields` has rights. */
export const newAgent = (key: string | null, fields: NewAgent): AgentsTable => ({
  kind: 'agent',
  email: null,
  description: null,
  objective: null,
  is_active: 1,
  preset_id: null,
  permission_flags: null,
  ...(key === null ? noKey : keyColumns(key)),
  key_seen_by: null,
  disabled_by: null,
  session_generation: 0,
  last_used_at: null,
  deleted_at: null,
  ...fields,
})

/** The columns of an agent that its base is resolved from. */
export type Rights = Pick<AgentsTable, 'preset_id' | 'permission_flags'> & { readonly kind?: AgentsTable['kind'] }

/** A base with the name of the preset that it comes from. */
export interface NamedBase extends Base {
  readonly presetName: string
}

/** The base of an agent without a preset, apart from its own flags. */
const withoutPreset = { name: 'Full Control', flags: null }

/** The base of an agent whose preset was deleted. */
const deletedPreset = { name: 'None', flags: {} }

/** The name that agents of pipelines show in place of a preset's (evidence 6.1). */
export const pipelinePreset = 'CI'

/** The base of every pipeline (evidence 6). */
const ofPipelines: NamedBase = { ...ciBase, presetName: pipelinePreset }

/** Resolves the bases of agents, reading each preset once. */
export async function basesOf<Row extends Rights>(db: Db, agents: readonly Row[]): Promise<(agent: Row) => NamedBase> {
  const ids = [...new Set(agents.map(agent => agent.preset_id).filter(id => id !== null))]
  const presets = await db
    .selectFrom('presets')
    .select(['id', 'name', 'flags'])
    .where(eb => dialect.inList(eb.ref('id'), JSON.stringify(ids)))
    .execute()
  const presetById = new Map(presets.map(({ id, name, flags }) => [id, { name, flags: parseJson(flags) }]))
  const resolved = new Map<string, NamedBase>()
  return ({ kind, preset_id, permission_flags }) => {
    if (kind === 'ci') return ofPipelines
    const key = `${preset_id} ${permission_flags}`
    const cached = resolved.get(key)
    if (cached !== undefined) return cached
    const { name, flags } = preset_id === null ? withoutPreset : (presetById.get(preset_id) ?? deletedPreset)
    const base = { ...resolveBase(flags, parseNullable(permission_flags)), presetName: name }
    resolved.set(key, base)
    return base
  }
}

/** The base that results from an agent's preset and flags. */
export const baseOf = async (db: Db, rights: Rights): Promise<NamedBase> => (await basesOf(db, [rights]))(rights)

const agentById = hot<{ id: string }, AgentsTable>((db, param) =>
  db.selectFrom('agents').selectAll().where('id', '=', param('id')).where('deleted_at', 'is', null),
)

/**
 * An agent as stored.
 * @throws DomainError NOT_FOUND, also for a deleted one
 */
export async function readAgent(db: Db, id: string): Promise<AgentsTable> {
  const [row] = await agentById(db, { id })
  if (row === undefined) throw notFound('agent', id)
  return row
}

/** Whether an agent was deleted. */
export const isAgentDeleted = async (db: Db, id: string): Promise<boolean> => (await agentById(db, { id })).length === 0

/** Whose agents are listed, and of which kinds, as a JSON list. */
interface AgentFilter {
  caller: string
  /** 1 for a caller who sees all people. */
  people: Flag
  kinds: string
}

const visible = (param: Param<AgentFilter>) =>
  sql`from agents where deleted_at is null
    and ${dialect.inFew(
      sql.ref('id'),
      sql`select id from managed union select ${param('caller')}
        union select id from agents where kind = 'person' and ${param('people')} = 1`,
    )}
    and ${dialect.inList(sql.ref('kind'), param('kinds'))}`

const listed = hot<AgentFilter & { limit: number; offset: number }, AgentsTable>(
  (_, param) =>
    sql<AgentsTable>`with recursive ${managedBy(param('caller'))} select * ${visible(param)}
      order by created_at, id limit ${param('limit')} offset ${param('offset')}`,
)

const counted = hot<AgentFilter, { count: number }>(
  (_, param) =>
    sql<{ count: number }>`with recursive ${managedBy(param('caller'))} select count(*) as count
      ${visible(param)}`,
)

/** The queries that list the caller and the agents that it manages, oldest first, and count them. */
export const visibleAgents = {
  rows: listed,
  count: async (db: Db, filter: AgentFilter): Promise<number> => (await counted(db, filter))[0]!.count,
}

const granted = hot<{ board: string; limit: number; offset: number }, AgentsTable>((db, param) =>
  db
    .selectFrom('grants')
    .innerJoin('agents', 'agents.id', 'grants.agent_id')
    .selectAll('agents')
    .where('grants.board_id', '=', param('board'))
    .orderBy('agents.created_at')
    .orderBy('agents.id')
    .limit(param('limit'))
    .offset(param('offset')),
)

const grantsCounted = hot<{ board: string }, { count: number }>((db, param) =>
  db
    .selectFrom('grants')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board')),
)

/** The queries that list the agents with a grant on a board, oldest first, and count them. */
export const boardAgents = {
  rows: granted,
  count: async (db: Db, board: string): Promise<number> => (await grantsCounted(db, { board }))[0]!.count,
}

const named = ({ id, name }: AgentsTable) => ({ id, name })

const described = (row: AgentsTable) => ({
  kind: row.kind,
  handle: row.handle,
  description: row.description,
  objective: row.objective,
  is_active: row.is_active === 1,
  preset_id: row.preset_id,
  permission_flags: parseNullable(row.permission_flags),
  created_at: row.created_at,
  last_used_at: row.last_used_at,
})

/** An agent as listed on a board. */
export const agentSummary = (row: AgentsTable, { presetName }: Pick<NamedBase, 'presetName'>) => ({
  ...named(row),
  ...described(row),
  preset_name: presetName,
})

/** Whether a caller sees all people, not only those that it manages. */
export const seesPeople = ({ access }: Pick<Context, 'access'>): boolean =>
  access.allows('PEOPLE_READ') || access.allows('PEOPLE_MANAGE')

/** Whether a caller sees the address of a person: its own, or those of people it manages (people 1.1). */
const knowsEmail = ({ access, caller }: Reader, id: string): boolean =>
  id === caller.id || access.allows('PEOPLE_MANAGE')

/** Who reads an agent. */
type Reader = Pick<Context, 'access' | 'caller'>

/** An agent as answered, with the permissions of its base. It has no key; the operations that make one add it. */
export const agentOf = (
  row: AgentsTable,
  { allowed, presetName }: Pick<NamedBase, 'allowed' | 'presetName'>,
  reader: Reader,
) => ({
  ...named(row),
  api_key: null,
  ...described(row),
  preset_name: presetName,
  permissions: [...allowed].sort(),
  email: knowsEmail(reader, row.id) ? row.email : null,
  has_key: row.key_hash !== null,
  api_key_prefix: row.api_key_prefix,
  key_expires_at: row.key_expires_at,
  created_by: row.created_by,
})

/** An agent by id, as answered, with the permissions of its base. */
export const readWholeAgent = async (ctx: Context, id: string) => {
  const row = await readAgent(ctx.db, id)
  return agentOf(row, await baseOf(ctx.db, row), ctx)
}

/** Agents and their grants (access 8, 9). */
import { z } from 'zod'
import { matching } from '../forms.ts'
import { operation } from '../operation.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import type { Permission } from '../permissions.ts'
import { commaListOf, Id, Name, PermissionFlags, PrincipalKind, paging, Text, Timestamp } from '../shared.ts'
import { toolHints } from '../tool-hints.ts'
import { list_audit } from './audit.ts'
import { ConnectedBoard } from './connections.ts'
import { grant_board_access, revoke_board_access, update_board_access } from './grants.ts'

const named = { id: Id, name: z.string(), kind: PrincipalKind, handle: z.string().nullable().describe('for mentions') }

const described = {
  description: Text,
  objective: Text,
  is_active: z.boolean(),
  preset_id: Id.nullable(),
  permission_flags: PermissionFlags.nullable(),
}

export const Agent = z
  .object({
    ...named,
    api_key: z.string().nullable(),
    ...described,
    preset_name: z.string(),
    permissions: z.array(z.string()),
    email: z.string().nullable().describe('only for persons, if you may see it'),
    has_key: z.boolean(),
    api_key_prefix: z.string().describe('empty without a key'),
    key_expires_at: Timestamp.nullable().describe('null: never'),
    created_by: Id,
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
  })
  .meta({ id: 'Agent' })

/** An agent in the list, with the boards that it is on where they are asked for. */
export const ListedAgent = Agent.extend({
  boards: z.array(ConnectedBoard).exactOptional().describe('with boards=true, of those that you see'),
}).meta({ id: 'ListedAgent' })

/** An agent as others on its boards see it: never with a key or its prefix. */
export const AgentSummary = z
  .object({
    ...named,
    ...described,
    preset_name: z.string(),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
  })
  .meta({ id: 'AgentSummary' })

/** A new key of an agent, shown only once. */
export const AgentKey = z
  .object({
    message: z.string(),
    agent_id: Id,
    api_key: z.string().nullable().describe('null when an answer is replayed, or the key is removed'),
    api_key_prefix: z.string(),
    key_expires_at: Timestamp.nullable().describe('null: never'),
  })
  .meta({ id: 'AgentKey' })

const writable = {
  description: Text.exactOptional(),
  objective: Text.exactOptional(),
  preset_id: Id.nullable().exactOptional().describe('id or name'),
  permission_flags: PermissionFlags.nullable().exactOptional().describe('deviations from the preset'),
}

/** The handle by which a principal is mentioned (people 1.1). */
const Handle = z
  .string()
  .min(2)
  .max(32)
  .regex(...matching('handle', /^[a-z0-9][a-z0-9._-]*[a-z0-9]$/))
  .meta({ examples: ['ada'] })

const Email = z.email().max(254)

/** Days until a key expires. */
const expires_in_days = z.int().min(1).max(3_650).exactOptional().describe('the key expires; else never')

export const AgentCreate = z
  .object({
    name: Name,
    kind: PrincipalKind.exactOptional(),
    handle: Handle.exactOptional(),
    email: Email.exactOptional().describe('of a person'),
    ...writable,
    expires_in_days,
    board_ids: z.array(Id).max(50).exactOptional().describe('boards to grant'),
  })
  .meta({ id: 'AgentCreate' })

export const AgentUpdate = z

  .object({
    name: Name.exactOptional(),
    handle: Handle.meta({ examples: ['grace'] }).exactOptional(),
    ...writable,
    is_active: z.boolean().exactOptional(),
  })
  .meta({ id: 'AgentUpdate' })

/** Body of regenerate_agent_key (trust 3). */
export const KeyRegenerate = z
  .object({
    expires_in_days,
    overlap_minutes: z.int().min(0).max(1_440).exactOptional().describe('how long the old key works too'),
    remove: z.boolean().exactOptional().describe('remove the key of a person'),
  })
  .meta({ id: 'KeyRegenerate' })

/** Kinds of principals, as a comma list. */
const KindFilter = commaListOf(PrincipalKind.options).optional().describe('comma list')

/** The permission needed to create a principal of each kind (people 1.1, evidence 6). */
const creating: Readonly<Record<z.output<typeof PrincipalKind>, Permission>> = {
  agent: 'AGENTS_CREATE',
  ci: 'AGENTS_CREATE_CI',
  person: 'PEOPLE_MANAGE',
  service: 'AGENTS_CREATE',
}

const params = { agent_id: Id }
const keywords = ['bot', 'api key', 'user', 'account']

const create_agent = operation({
  name: 'create_agent',
  method: 'POST',
  path: '/api/v1/agents',
  permission: 'AGENTS_CREATE',
  changesAccess: true,
  title: 'Create agent',
  description: 'Create an agent. Its key is shown in this answer only.',
  body: AgentCreate,
  aliases: { preset: 'preset_id' },
  response: Agent,
  status: 201,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'HANDLE_TAKEN', 'PERSON_REQUIRED'],
  asks: {
    permissions: ({ body }) => [creating[(body as z.output<typeof AgentCreate>).kind ?? 'agent']],
    guards: [
      { permission: 'AGENTS_CREATE' },
      { permission: 'PEOPLE_MANAGE', part: 'of kind person' },
      { permission: 'AGENTS_CREATE_CI', part: 'of kind ci' },
      { permission: 'AGENTS_GRANT', part: 'on each board of board_ids' },
    ],
  },
  secret: 'api_key',
  keywords,
})

const list_agents = operation({
  name: 'list_agents',
  method: 'GET',
  path: '/api/v1/agents',
  permission: 'AGENTS_READ',
  title: 'List agents',
  description: 'List yourself and the agents that you manage.',
  query: {
    ...paging,
    kind: KindFilter,
    // Tools name the boards of agents anyway (crew 7).
    boards: z.boolean().default(false).describe('also their boards').register(toolHints, { hidden: true }),
  },
  list: ListedAgent,
  errors: [],
  keywords,
})

const list_board_agents = operation({
  name: 'list_board_agents',
  method: 'GET',
  path: '/api/v1/agents/board/{board_id}',
  permission: 'AGENTS_READ',
  title: 'List board agents',
  description: 'List the agents with a grant of a board.',
  params: { board_id: Id },
  query: paging,
  list: AgentSummary,
  errors: [],
  keywords: [...keywords, 'team', 'member'],
})

const get_agent = operation({
  name: 'get_agent',
  method: 'GET',
  path: '/api/v1/agents/{agent_id}',
  permission: 'AGENTS_READ',
  title: 'Get agent',
  description: 'Get an agent that you manage, or yourself.',
  params,
  response: Agent,
  errors: [],
  keywords,
})

const update_agent = operation({
  name: 'update_agent',
  method: 'PATCH',
  path: '/api/v1/agents/{agent_id}',
  permission: 'AGENTS_UPDATE',
  changesAccess: true,
  title: 'Update agent',
  description: 'Change an agent that you manage, or your own texts.',
  params,
  body: AgentUpdate,
  aliases: { preset: 'preset_id' },
  response: Agent,
  errors: ['VALIDATION_ERROR', 'SELF_CHANGE', 'HANDLE_TAKEN', 'PERSON_REQUIRED'],
  asks: checkedByImplementation(
    { permission: 'AGENTS_UPDATE', part: 'of others' },
    { permission: 'AGENTS_UPDATE_SELF', part: 'of oneself: name, handle, description, objective' },
    { permission: 'PEOPLE_MANAGE', part: 'of other persons' },
  ),
  keywords: [...keywords, 'disable', 'permissions'],
})

const regenerate_agent_key = operation({
  name: 'regenerate_agent_key',
  method: 'POST',
  path: '/api/v1/agents/{agent_id}/regenerate-key',
  permission: 'AGENTS_REGENERATE_KEY',
  changesAccess: true,
  title: 'Regenerate agent key',
  description: 'Give an agent a new key, shown once. The old one stops at once, or after overlap_minutes.',
  params,
  body: KeyRegenerate,
  bodyOptional: true,
  response: AgentKey,
  confirm: true,
  errors: ['VALIDATION_ERROR', 'PERSON_REQUIRED'],
  effect: 'destructive_once',
  secret: 'api_key',
  keywords: [...keywords, 'rotate', 'revoke', 'secret'],
})

const delete_agent = operation({
  name: 'delete_agent',
  method: 'DELETE',
  path: '/api/v1/agents/{agent_id}',
  permission: 'AGENTS_DELETE',
  changesAccess: true,
  title: 'Delete agent',
  description: 'Delete an agent that owns no board, with key and grants.',
  params,
  confirm: true,
  errors: ['SELF_CHANGE', 'AGENT_OWNS_BOARDS', 'PERSON_REQUIRED'],
  keywords,
})

export const agents = {
  create_agent,
  list_agents,
  list_board_agents,
  get_agent,
  update_agent,
  regenerate_agent_key,
  delete_agent,
  grant_board_access,
  update_board_access,
  revoke_board_access,
  list_audit,
} as const

/** Agents and their grants (contract: access 8, 9). */
import { z } from 'zod'
import { grant_board_access } from './grants.ts'
import { operation } from './operation.ts'
import { Id, Name, PermissionFlags, Text, Timestamp } from './shared.ts'

const described = {
  id: Id,
  name: z.string(),
  description: Text,
  objective: Text,
  is_active: z.boolean(),
  preset_id: Id.nullable(),
  permission_flags: PermissionFlags.nullable(),
}

export const Agent = z
  .object({
    ...described,
    permissions: z.array(z.string()),
    api_key: z.string().nullable(),
    api_key_prefix: z.string(),
    created_by: Id,
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
  })
  .meta({ id: 'Agent' })

/** An agent as those who share a board with it see it: never a key or its prefix. */
export const AgentSummary = z
  .object({ ...described, created_at: Timestamp, last_used_at: Timestamp.nullable() })
  .meta({ id: 'AgentSummary' })

const writable = {
  description: Text.exactOptional(),
  objective: Text.exactOptional(),
  preset_id: Id.nullable().exactOptional().describe('null: Full Control'),
  permission_flags: PermissionFlags.nullable().exactOptional().describe('deviations from the preset'),
}

export const AgentCreate = z.object({ name: Name, ...writable }).meta({ id: 'AgentCreate' })

const keywords = ['bot', 'api key', 'user', 'account']

const create_agent = operation({
  name: 'create_agent',
  method: 'POST',
  path: '/api/v1/agents',
  permission: 'AGENTS_CREATE',
  title: 'Create agent',
  description: 'Create an agent. Its key is in this answer and never shown again.',
  body: AgentCreate,
  response: Agent,
  status: 201,
  errors: ['VALIDATION_ERROR'],
  secret: true,
  keywords,
})

export const agents = { create_agent, grant_board_access } as const

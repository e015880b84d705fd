/** Connections: MCP clients that a person allows to act as an agent (people 3). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { Id, paging, Timestamp } from '../shared.ts'

/** A board that an agent is on, as shown to others. */
export const ConnectedBoard = z.object({ id: Id, key: z.string(), name: z.string() }).meta({ id: 'ConnectedBoard' })

/** What a person allowed a client to do. */
export const Connection = z
  .object({
    id: Id,
    client_id: z.string(),
    client_name: z.string(),
    client_host: z.string().nullable(),
    agent_id: Id,
    agent_name: z.string(),
    person_id: Id,
    person_name: z.string(),
    boards: z.array(ConnectedBoard).describe('those you see that its agent reaches; none once it has ended'),
    scopes: z.array(z.string()),
    confirm: z.boolean(),
    created_at: Timestamp,
    last_used_at: Timestamp,
    expires_at: Timestamp,
    ended_at: Timestamp.nullable(),
    ended_reason: z.string().nullable(),
  })
  .meta({ id: 'Connection' })

const keywords = ['connection', 'client', 'oauth', 'connected app', 'claude', 'chatgpt', 'authorize']

export const list_connections = operation({
  name: 'list_connections',
  method: 'GET',
  path: '/api/v1/connections',
  permission: '-',
  caller: 'person',
  extension: true,
  title: 'List connections',
  description: 'List the clients that you let act as an agent, last used first.',
  query: { ...paging, all: z.boolean().default(false).describe('those of all persons') },
  list: Connection,
  errors: [],
  asks: checkedByImplementation({ permission: 'CONNECTIONS_MANAGE', part: 'with all=true' }),
  keywords,
})

export const revoke_connection = operation({
  name: 'revoke_connection',
  method: 'DELETE',
  path: '/api/v1/connections/{connection_id}',
  permission: '-',
  caller: 'person',
  changesAccess: true,
  extension: true,
  title: 'Revoke connection',
  description: 'End a connection; its client has to ask again.',
  params: { connection_id: Id },
  errors: [],
  asks: checkedByImplementation({ permission: 'CONNECTIONS_MANAGE', part: "of another's" }),
  keywords: [...keywords, 'disconnect', 'revoke'],
})

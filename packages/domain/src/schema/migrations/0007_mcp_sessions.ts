import { statements } from './statements.ts'

/** MCP sessions that were ended or have subscriptions; all others exist only in their token. */
export const migration = statements([
  `create table mcp_sessions (
    id_hash text not null primary key,
    agent_id text not null,
    terminated_at text,
    expires_at text not null
  )`,
  `create index mcp_sessions_expires on mcp_sessions (expires_at)`,
  `create table mcp_subscriptions (
    id_hash text not null references mcp_sessions (id_hash) on delete cascade,
    uri text not null,
    primary key (id_hash, uri)
  )`,
])

import { statements } from './statements.ts'

/** Used upload tickets that have not expired yet; all others exist only as tokens. */
export const migration = statements([
  `create table mcp_used_tickets (
    id_hash text not null primary key,
    expires_at text not null
  )`,
  `create index mcp_used_tickets_expires on mcp_used_tickets (expires_at)`,
])

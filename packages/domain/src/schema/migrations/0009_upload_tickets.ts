import { statements } from './statements.ts'

/** Upload tickets that were used and have not expired yet; all others live in their token alone. */
export const migration = statements([
  `create table mcp_used_tickets (
    id_hash text not null primary key,
    expires_at text not null
  )`,
  `create index mcp_used_tickets_expires on mcp_used_tickets (expires_at)`,
])

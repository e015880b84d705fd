import { statements } from './statements.ts'

/** Sessions of browsers, a row each (people 2.4). */
export const texts = [
  `create table web_sessions (
    id text not null primary key,
    hash text not null unique,
    agent_id text not null,
    via text not null,
    provider text,
    present bigint not null,
    key_hash text not null,
    generation bigint not null,
    started_at text not null,
    last_used_at text not null,
    address text not null,
    browser text not null
  )`,
  `create index web_sessions_of on web_sessions (agent_id, last_used_at, id)`,
  `create index web_sessions_unused on web_sessions (last_used_at)`,
]

export const migration = statements(texts)

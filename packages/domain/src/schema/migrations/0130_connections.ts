import { statements } from './statements.ts'

/** Clients over MCP that a person lets act as an agent, and what their authorization keeps (people 3). */
export const texts = [
  `create table connections (
    id text not null primary key,
    client_id text not null,
    client_name text not null,
    client_host text,
    agent_id text not null,
    person_id text not null,
    grant_id text not null unique,
    scopes text not null,
    choice text not null,
    confirm bigint not null,
    created_at text not null,
    last_used_at text not null,
    ended_at text,
    ended_reason text
  )`,
  `create index connections_of_person on connections (person_id, last_used_at, id)`,
  `create index connections_of_agent on connections (agent_id)`,
  `create index connections_used on connections (last_used_at, id)`,
  `create table oauth_records (
    kind text not null,
    id text not null,
    grant_id text,
    uid text,
    payload text not null,
    consumed_at text,
    expires_at text not null,
    primary key (kind, id)
  )`,
  `create index oauth_records_of_grant on oauth_records (grant_id)`,
  `create index oauth_records_expired on oauth_records (expires_at)`,
  `create table oauth_clients (
    id text not null primary key,
    origin text not null,
    metadata text not null,
    created_at text not null,
    used_at text,
    fresh_until text
  )`,
  `create index oauth_clients_created on oauth_clients (created_at, id)`,
  `create table lent_ways (
    way_id text not null primary key,
    agent_id text not null,
    person_id text not null,
    board_id text not null
  )`,
  `create index lent_ways_of on lent_ways (person_id, board_id)`,
]

export const migration = statements(texts)

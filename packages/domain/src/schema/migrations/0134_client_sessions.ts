import { statements } from './statements.ts'

/** Conversations of clients, the claims that they work on, and runs of commands that hooks saw (harness 3.2). */
export const texts = [
  `create table client_sessions (
    id text not null primary key,
    agent_id text not null,
    name text not null,
    board_id text,
    client text,
    client_version text,
    model text,
    worktree text,
    worktree_hash text,
    repository text,
    branch text,
    commit_sha text,
    memory text not null,
    started_at text not null,
    last_event_at text not null,
    expires_at text not null
  )`,
  `create unique index client_sessions_of on client_sessions (agent_id, name)`,
  `create index client_sessions_board on client_sessions (board_id, expires_at)`,
  `create index client_sessions_expired on client_sessions (expires_at)`,
  `alter table claims add column session text`,
  `alter table proof_runs add column hook_key text`,
  `create index proof_runs_hook on proof_runs (started_by, hook_key) where hook_key is not null`,
]

export const migration = statements(texts)

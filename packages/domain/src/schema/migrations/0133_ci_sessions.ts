import { statements } from './statements.ts'

/** The CI tokens that repositories accept, and the sessions that tokens were exchanged for (evidence 6.2). */
export const texts = [
  'alter table repositories add column ci text',
  'alter table repositories add column ci_issuer text',
  'create index repositories_ci on repositories (ci_issuer) where ci_issuer is not null',
  `create table ci_sessions (
    token_hash text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    repository_id text not null references repositories (id) on delete cascade,
    name text not null,
    run text not null,
    expires_at text not null,
    created_at text not null
  )`,
  'create index ci_sessions_board on ci_sessions (board_id)',
  'create index ci_sessions_repository on ci_sessions (repository_id, created_at)',
  'create index ci_sessions_created on ci_sessions (created_at)',
]

export const migration = statements(texts)

import { statements } from './statements.ts'

/** What forges sent, pull requests, and checks (git 2, 3). */
export const texts = [
  `create table forge_deliveries (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    repository_id text not null references repositories (id) on delete cascade,
    delivery_id text not null,
    event text not null,
    action text,
    status text not null,
    reason text,
    received_at text not null,
    processed_at text,
    attempts bigint not null,
    next_attempt_at text,
    repeats bigint not null,
    size bigint not null,
    changes bigint not null,
    links bigint not null,
    payload text
  )`,
  `create unique index forge_deliveries_forge on forge_deliveries (repository_id, delivery_id)`,
  `create index forge_deliveries_newest on forge_deliveries (repository_id, received_at, id)`,
  `create index forge_deliveries_queued on forge_deliveries (repository_id, received_at, id) where status = 'queued'`,
  `create index forge_deliveries_old on forge_deliveries (received_at)`,
  `create index forge_deliveries_board on forge_deliveries (board_id)`,
  `create table change_checks (
    repository_id text not null references repositories (id) on delete cascade,
    sha text not null,
    name text not null,
    board_id text not null references boards (id) on delete cascade,
    kind text not null,
    suite text,
    state text not null,
    attempt bigint not null,
    url text,
    at text not null,
    primary key (sha, repository_id, name)
  )`,
  `create index change_checks_repository on change_checks (repository_id)`,
  `create index change_checks_board on change_checks (board_id)`,
  `alter table changes add column source_branch text`,
  `alter table changes add column head text`,
  `alter table changes add column merge_commit text`,
  `create index changes_source on changes (repository_id, source_branch) where source_branch is not null`,
  `create index changes_head on changes (repository_id, head) where head is not null`,
  `create index changes_merge_commit on changes (repository_id, merge_commit) where merge_commit is not null`,
]

export const migration = statements(texts)

import { statements } from './statements.ts'

/** Runs of commands that a program of ours watched (evidence). */
export const texts = [
  `create table proof_runs (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    targets text not null,
    meant text not null,
    commit_sha text,
    tree text,
    is_dirty bigint not null,
    branch text,
    repository_id text references repositories (id) on delete set null,
    command text not null,
    host text,
    status text not null,
    exit_code bigint,
    signal text,
    output_sha256 text,
    output_bytes bigint,
    output_tail text,
    duration_ms bigint,
    tier text not null,
    tier_reason text not null,
    seen_by text,
    mapping text,
    started_by text not null,
    started_at text not null,
    expires_at text not null,
    finished_at text
  )`,
  `create index proof_runs_board on proof_runs (board_id, started_at, id)`,
  `create index proof_runs_repository on proof_runs (repository_id)`,
  `create index test_reports_proof_run on test_reports (proof_run_id) where proof_run_id is not null`,
]

export const migration = statements(texts)

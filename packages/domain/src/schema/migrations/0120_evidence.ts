import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the migration decided that an operator should know. */
export const note =
  'custom presets hold REPORTS_READ where they hold CARDS_READ; REPORTS_SUBMIT and AGENTS_CREATE_CI are false'

/** The statements that both databases take. */
export const texts = [
  `alter table agents add column key_seen_by text`,
  `create table test_reports (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    repository_id text references repositories (id) on delete set null,
    name text not null,
    commit_sha text,
    tested_commit text,
    tree text,
    branch text,
    pull_request bigint,
    ci_run text,
    attempt bigint not null,
    run_url text,
    identity text not null,
    tier text not null,
    tier_reason text not null,
    seen_by text,
    actor_type text not null,
    submitted_by text not null,
    submitted_by_name text not null,
    proof_run_id text,
    files text not null,
    cases bigint not null,
    executed bigint not null,
    passed bigint not null,
    failed bigint not null,
    skipped bigint not null,
    flaky bigint not null,
    outcome text not null,
    content_sha256 text not null,
    cases_kept bigint not null,
    created_at text not null
  )`,
  `create unique index test_reports_identity on test_reports (board_id, identity)`,
  `create index test_reports_board on test_reports (board_id, created_at, id)`,
  `create index test_reports_commit on test_reports (board_id, commit_sha)`,
  `create index test_reports_repository on test_reports (repository_id)`,
  `create index test_reports_kept on test_reports (created_at) where cases_kept = 1`,
  `create table report_records (
    report_id text not null references test_reports (id) on delete cascade,
    board_id text not null references boards (id) on delete cascade,
    entity_type text not null,
    entity_id text not null,
    how text not null,
    primary key (report_id, entity_id)
  )`,
  `create index report_records_entity on report_records (entity_id, report_id)`,
  `create index report_records_board on report_records (board_id)`,
  `create table test_cases (
    report_id text not null,
    position bigint not null,
    board_id text not null references boards (id) on delete cascade,
    rank bigint not null,
    address text not null,
    suite text,
    class text,
    name text not null,
    file text,
    status text not null,
    is_flaky bigint not null,
    duration_ms bigint,
    message text,
    refs text not null,
    is_named bigint not null,
    primary key (report_id, position)
  )`,
  `create index test_cases_listed on test_cases (report_id, rank, position)`,
  `create index test_cases_board on test_cases (board_id)`,
]

/** Reports of test runs with their cases, and whose key a pipeline's is (evidence). */
export const migration: Migration = {
  up: async db => {
    for (const text of texts) await sql.raw(text).execute(db)
    await openReportsInPresets(db)
  },
}

/** Whoever reads cards reads what tests said of them; nobody gains a right to write. */
export async function openReportsInPresets(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; flags: string }>`select id, flags from presets where is_builtin = 0`.execute(
    db,
  )
  for (const { id, flags } of rows) {
    const own = JSON.parse(flags) as Readonly<Record<string, boolean>>
    const complete = {
      ...own,
      REPORTS_READ: own.CARDS_READ === true,
      REPORTS_SUBMIT: false,
      AGENTS_CREATE_CI: false,
    }
    await sql`update presets set flags = ${JSON.stringify(complete)}, revision = revision + 1 where id = ${id}`.execute(
      db,
    )
  }
}

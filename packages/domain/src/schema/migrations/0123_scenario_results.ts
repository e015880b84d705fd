import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the migration decided that an operator should know. */
export const note = 'custom presets hold SPECS_MAP_TESTS where they hold SPECS_UPDATE'

/** The statements that both databases take. */
export const texts = [
  `alter table test_reports add column mapping text`,
  `create index test_reports_run on test_reports (board_id, ci_run) where ci_run is not null`,
  `create table report_scenarios (
    report_id text not null references test_reports (id) on delete cascade,
    board_id text not null references boards (id) on delete cascade,
    spec_id text not null references specs (id) on delete cascade,
    scenario_id text not null,
    print text not null,
    content text not null,
    primary key (report_id, spec_id, scenario_id)
  )`,
  `create index report_scenarios_spec on report_scenarios (spec_id, scenario_id, report_id)`,
  `create index report_scenarios_board on report_scenarios (board_id)`,
  `create table scenario_results (
    spec_id text not null references specs (id) on delete cascade,
    scenario_id text not null,
    tier text not null,
    board_id text not null references boards (id) on delete cascade,
    tier_reason text not null,
    status text not null,
    seen_by text,
    commit_sha text,
    repository_id text references repositories (id) on delete set null,
    report_id text,
    run_id text,
    cases text not null,
    is_flaky bigint not null,
    print text not null,
    made_at text not null,
    primary key (spec_id, scenario_id, tier)
  )`,
  `create index scenario_results_board on scenario_results (board_id)`,
  `create index scenario_results_repository on scenario_results (repository_id)`,
]

/** What reports do to scenarios, and the newest result of each tier (evidence). */
export const migration: Migration = {
  up: async db => {
    for (const text of texts) await sql.raw(text).execute(db)
    await openTestsInPresets(db)
  },
}

/** Whoever updates specs says which tests prove their scenarios. */
export async function openTestsInPresets(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; flags: string }>`select id, flags from presets where is_builtin = 0`.execute(
    db,
  )
  for (const { id, flags } of rows) {
    const own = JSON.parse(flags) as Readonly<Record<string, boolean>>
    const complete = { ...own, SPECS_MAP_TESTS: own.SPECS_UPDATE === true }
    await sql`update presets set flags = ${JSON.stringify(complete)}, revision = revision + 1 where id = ${id}`.execute(
      db,
    )
  }
}

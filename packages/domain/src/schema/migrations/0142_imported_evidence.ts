import { statements } from './statements.ts'

/**
 * Imported evidence, which vouches for nothing (evidence 14, walls 5), and commits found by their trees (evidence 7).
 * @param treeOfChange the tree of a commit in the text of its content
 */
export const texts = (treeOfChange: string): readonly string[] => [
  `create table imported_results (
    spec_id text not null references specs (id) on delete cascade,
    scenario_id text not null,
    tier text not null,
    board_id text not null references boards (id) on delete cascade,
    tier_reason text not null,
    status text not null,
    commit_sha text,
    repository_id text references repositories (id) on delete set null,
    report_id text,
    run_id text,
    cases text not null,
    is_flaky bigint not null,
    print text not null,
    made_at text not null,
    service text,
    primary key (spec_id, scenario_id, tier)
  )`,
  `create index imported_results_board on imported_results (board_id)`,
  `create index imported_results_repository on imported_results (repository_id)`,
  `alter table test_reports add column origin text`,
  `alter table proof_runs add column origin text`,
  `create index proof_runs_running on proof_runs (expires_at) where status = 'running'`,
  `alter table card_waivers add column is_imported bigint not null default 0`,
  `create index changes_tree on changes (repository_id, ${treeOfChange}) where kind = 'commit'`,
]

export const migration = statements(texts(`json_extract(content, '$.tree')`))

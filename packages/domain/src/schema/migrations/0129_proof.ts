import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the migration decided that an operator should know. */
export const note = 'no custom preset holds CARDS_WAIVE'

/** The statements that both databases take. */
export const texts = [
  `create table card_waivers (
    card_id text not null primary key references cards (id) on delete cascade,
    board_id text not null references boards (id) on delete cascade,
    gates text not null,
    reason text not null,
    waived_by text not null,
    waived_by_name text not null,
    waived_at text not null
  )`,
  `create index card_waivers_board on card_waivers (board_id)`,
  `create table run_records (
    run_id text not null references proof_runs (id) on delete cascade,
    board_id text not null references boards (id) on delete cascade,
    entity_type text not null,
    entity_id text not null,
    primary key (run_id, entity_id)
  )`,
  `create index run_records_entity on run_records (entity_id, run_id)`,
  `create index run_records_board on run_records (board_id)`,
  `alter table branch_commits add column placed_at text`,
  `create index test_reports_branch on test_reports (repository_id, branch, created_at)`,
]

/** What cards are excused from, what runs speak for, and when commits came to their branches (evidence 7, 8). */
export const migration: Migration = {
  up: async db => {
    for (const text of texts) await sql.raw(text).execute(db)
    await closeWaiversInPresets(db)
  },
}

/** Nobody gains the right to excuse cards from gates. */
export async function closeWaiversInPresets(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; flags: string }>`select id, flags from presets where is_builtin = 0`.execute(
    db,
  )
  for (const { id, flags } of rows) {
    const own = JSON.parse(flags) as Readonly<Record<string, boolean>>
    const complete = { ...own, CARDS_WAIVE: false }
    await sql`update presets set flags = ${JSON.stringify(complete)}, revision = revision + 1 where id = ${id}`.execute(
      db,
    )
  }
}

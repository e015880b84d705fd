import { statements } from './statements.ts'

/**
 * The tiers that records had when they were done, and indexes of the boards that have more than claims (evidence 7).
 */
export const texts = [
  `create table done_tiers (
    entity_id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    tier text not null
  )`,
  `create index done_tiers_board on done_tiers (board_id, tier)`,
  `create index scenario_results_told on scenario_results (board_id) where tier <> 'claimed'`,
  `create index task_validations_present on task_validations (board_id) where present = 1`,
]

export const migration = statements(texts)

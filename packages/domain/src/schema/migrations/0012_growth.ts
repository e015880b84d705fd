import { type CountedTable, countAll, countingTriggers } from '../list-counts.ts'
import { sqliteTrigger } from '../triggers.ts'
import { statements } from './statements.ts'

const counted: readonly CountedTable[] = [
  { kind: 'ideation', table: 'ideations', key: 'updated_at' },
  { kind: 'spec', table: 'specs', key: 'updated_at' },
  { kind: 'sprint', table: 'sprints', key: 'updated_at' },
  { kind: 'card', table: 'cards' },
]

/**
 * What a call costs does not grow with what is stored: counts of lists that triggers keep, and indexes in the order of
 * every list, with the columns that it filters by, so that a page reads the records that it answers and no others.
 */
export const migration = statements([
  `create table list_counts (
    board_id text not null references boards (id) on delete cascade,
    kind text not null,
    since text not null,
    status text not null,
    archived integer not null,
    count integer not null,
    primary key (board_id, kind, since, status, archived)
  ) without rowid`,
  // The order of each list, with and without a status.
  ...['ideations', 'specs', 'sprints'].flatMap(table => [
    `drop index ${table}_board`,
    `create index ${table}_board on ${table} (board_id, updated_at, id, archived)`,
    `create index ${table}_status on ${table} (board_id, status, updated_at, id, archived)`,
    `create index ${table}_created on ${table} (board_id, created_at, id, archived)`,
  ]),
  `drop index refinements_board`,
  `create index refinements_created on refinements (board_id, created_at, id, archived)`,
  `drop index refinements_ideation`,
  `create index refinements_ideation on refinements (ideation_id, updated_at, id, status, archived)`,
  `create index refinements_below on refinements (ideation_id, created_at, id)`,
  `drop index specs_ideation`,
  `create index specs_ideation on specs (ideation_id, created_at, id) where ideation_id is not null`,
  `drop index specs_refinement`,
  `create index specs_refinement on specs (refinement_id, created_at, id) where refinement_id is not null`,
  `drop index sprints_spec`,
  `create index sprints_spec on sprints (spec_id, created_at, id, status, archived)`,
  `create index sprints_spec_changed on sprints (spec_id, updated_at, id, status, archived)`,
  `drop index cards_column`,
  `create index cards_column on cards (
    board_id, status, position, created_at, id, archived, card_type, severity, moved_at, spec_id, created_by
  )`,
  `create index cards_tested_bugs on cards (board_id, id, linked_test_task_ids)
    where card_type = 'bug' and linked_test_task_ids <> '[]'`,
  `create index card_dependencies_card on card_dependencies (card_id, created_at, id)`,
  `create index architecture_designs_changed on architecture_designs (parent_id, updated_at desc, title, id)`,
  `drop index seen_marks_card`,
  `create index seen_marks_card on seen_marks (card_id, seen_at, agent_id)`,
  `create index shares_board on shares (board_id, created_at, id)`,
  `create index saved_searches_board on saved_searches (board_id, created_at, id)`,
  `drop index events_card`,
  `create index events_card on events (card_id, created_at, id) where card_id is not null and action is not null`,
  `drop index events_entity`,
  `create index events_entity on events (entity_type, entity_id, created_at, id, history_action)`,
  `create index agents_preset on agents (preset_id, created_at, id) where preset_id is not null`,
  `create index kg_boards_run on kg_boards (run_id) where run_id is not null`,
  `create index kg_session_changes_board on kg_session_changes (board_id)`,
  `create index kg_queue_newest on kg_queue (board_id, triggered_at, id)`,
  `create index kg_edges_contradictions on kg_edges (board_id, confidence, created_at, id)
    where edge_type = 'contradicts'`,
  ...counted.flatMap(table => [countAll(table), ...countingTriggers(table).map(sqliteTrigger)]),
])

import { statements } from './statements.ts'

/**
 * Indexes that contain all columns that analytics count, so that no record with its texts is read. Indexes of all
 * cards get these columns, or are limited to the cards that are queried; the new one has only cards with a conclusion.
 */
export const migration = statements([
  `drop index cards_column`,
  `create index cards_column on cards (
    board_id, status, position, archived, card_type, severity, created_at, moved_at, spec_id, created_by
  )`,
  `drop index cards_sprint`,
  `create index cards_sprint on cards (sprint_id, created_at, id, status, archived, card_type, severity)
    where sprint_id is not null`,
  `drop index cards_origin`,
  `create index cards_origin on cards (origin_task_id) where origin_task_id is not null`,
  `create index cards_reported on cards (
    board_id, archived, created_at, id, status, sprint_id, created_by,
    json_extract(conclusions, '$[#-1].completeness'), json_extract(conclusions, '$[#-1].drift')
  ) where conclusions <> '[]'`,
  `drop index task_validations_board`,
  `create index task_validations_board on task_validations (
    board_id, card_id, id, outcome, recommendation, confidence, completeness, drift, threshold_violations,
    reviewer_id, created_at
  )`,
])

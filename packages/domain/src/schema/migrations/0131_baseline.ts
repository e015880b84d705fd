import { tables } from '../baseline/tables.ts'
import { counting, noting, numbering, unlinking } from '../baseline/triggers.ts'
import { dividedTables, splittingTrigger } from '../list-counts.ts'
import { sqliteTrigger } from '../triggers.ts'
import { statements } from './statements.ts'

/** The schema of a new SQLite database. Later migrations change it; this one stays as it is. */
export const migration = statements([
  ...tables,
  // A row per node with its terms, each prefixed with the board's ordinal, so that a board's postings are adjacent.
  `create virtual table kg_terms using fts5 (terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
  // The words of a record and, marked with a dot, their stems; words that begin with one letter are found at once.
  `create virtual table search_terms using fts5 (
    title, text, content = '', contentless_delete = 1, detail = column, prefix = '1', tokenize = 'ascii'
  )`,
  // Indexes that also hold the long texts that a query reads.
  `create index architecture_designs_changed on architecture_designs (parent_id, updated_at desc, title, id)`,
  `create index cards_reported on cards (
    board_id, archived, created_at, id, status, sprint_id, created_by,
    json_extract(conclusions, '$[#-1].completeness'), json_extract(conclusions, '$[#-1].drift')
  ) where conclusions <> '[]'`,
  `create index cards_tested_bugs on cards (board_id, id, linked_test_task_ids)
    where card_type = 'bug' and linked_test_task_ids <> '[]'`,
  `create index cards_not_started on cards (
    board_id, id, card_type, spec_id, sprint_id, priority, due_date, position, created_at, assignee_id, labels
  ) where archived = 0 and status = 'not_started'`,
  `create index task_validations_board on task_validations (
    board_id, card_id, id, outcome, recommendation, confidence, completeness, drift, threshold_violations,
    reviewer_id, created_at
  )`,
  ...[
    ...counting,
    ...dividedTables.map(table => splittingTrigger(table)),
    ...noting(),
    ...numbering,
    ...unlinking,
    {
      name: 'kg_nodes_unindexed',
      table: 'kg_nodes',
      after: 'delete',
      statements: 'delete from kg_terms where rowid = old.ordinal;',
    },
  ].map(sqliteTrigger),
])

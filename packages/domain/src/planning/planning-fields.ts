import { parseNullable } from '../lib/json.ts'
import type { WithReference } from '../schema/refs.ts'
import type { PlanningRecordRow } from '../schema/tables.ts'

/** The fields that ideations, refinements and specs share, as answered. */
export const planningFields = <Status extends string>(row: PlanningRecordRow & WithReference) => ({
  id: row.id,
  ref: row.ref,
  board_id: row.board_id,
  title: row.title,
  description: row.description,
  status: row.status as Status,
  version: row.version,
  assignee_id: row.assignee_id,
  labels: parseNullable(row.labels),
  archived: row.archived === 1,
  pre_archive_status: row.pre_archive_status,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

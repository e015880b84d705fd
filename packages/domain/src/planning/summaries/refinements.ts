import type { RefinementStatus } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import type { ExpressionBuilder } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../schema/database.ts'
import { refOf, type WithReference } from '../../schema/refs.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import type { PlanningRecordRow, RefinementsTable, Schema } from '../../schema/tables.ts'
import { planningFields } from '../planning-fields.ts'

/** The columns of a RefinementSummary. */
export const refinementSummaryColumns = [
  'refinements.id',
  'refinements.ideation_id',
  'refinements.board_id',
  'refinements.title',
  'refinements.description',
  'refinements.status',
  'refinements.version',
  'refinements.assignee_id',
  'refinements.labels',
  'refinements.archived',
  'refinements.pre_archive_status',
  'refinements.created_by',
  'refinements.created_at',
  'refinements.updated_at',
] as const

/** A row with the columns of a RefinementSummary. */
export type RefinementSummaryRow = PlanningRecordRow & WithReference & Pick<RefinementsTable, 'ideation_id'>

/** The refinements of an ideation, oldest first, as one JSON column. */
export const withRefinements = (eb: ExpressionBuilder<Schema, 'ideations'>) =>
  dialect.jsonArrayFrom(
    eb
      .selectFrom('refinements')
      .select(refinementSummaryColumns)
      .select(refOf('refinements').as('ref'))
      .whereRef('refinements.ideation_id', '=', 'ideations.id')
      .where(sameBoard('refinements', 'ideations'))
      .orderBy('refinements.created_at')
      .orderBy('refinements.id'),
  )

/** A row as RefinementSummary (ideation 1.3). */
export const refinementSummaryOf = (row: RefinementSummaryRow) => ({
  ...planningFields<z.infer<typeof RefinementStatus>>(row),
  ideation_id: row.ideation_id,
})

/** The ids of the refinements of an ideation. */
export async function refinementIdsOf(db: Db, { id, board_id }: OnBoard): Promise<string[]> {
  const rows = await db
    .selectFrom('refinements')
    .select('id')
    .where('ideation_id', '=', id)
    .where(onBoard('refinements', board_id))
    .execute()
  return rows.map(row => row.id)
}

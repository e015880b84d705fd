import type { TaskValidation } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import type { ExpressionBuilder } from 'kysely'
import type { z } from 'zod'
import { parseJson, parseNullable } from '../../../lib/json.ts'
import { hot } from '../../../schema/hot.ts'
import { taskValidationRef } from '../../../schema/refs.ts'
import { type OnBoard, onBoard, sameBoard } from '../../../schema/same-board.ts'
import type { Schema, TaskValidationsTable } from '../../../schema/tables.ts'

/** A task validation in responses (cards 2.3). */
export type TaskValidationRecord = z.output<typeof TaskValidation>

/** A validation as it is read, with its reference in place of its number. */
export type TaskValidationRow = Omit<TaskValidationsTable, 'number'> & { readonly ref: string }

/** The validations of a card, oldest first, as one JSON column. */
export const withValidations = (eb: ExpressionBuilder<Schema, 'cards'>) =>
  dialect.jsonArrayFrom(
    eb
      .selectFrom('task_validations')
      .select([
        'task_validations.id',
        'task_validations.board_id',
        'task_validations.card_id',
        'task_validations.stay',
        'task_validations.outcome',
        'task_validations.recommendation',
        'task_validations.reviewer_id',
        'task_validations.reviewer_name',
        'task_validations.submitted_by',
        'task_validations.summary',
        'task_validations.evidence',
        'task_validations.confidence',
        'task_validations.confidence_justification',
        'task_validations.completeness',
        'task_validations.completeness_justification',
        'task_validations.drift',
        'task_validations.drift_justification',
        'task_validations.threshold_violations',
        'task_validations.resolved_thresholds',
        'task_validations.actor_type',
        'task_validations.actor_via',
        'task_validations.present',
        'task_validations.created_at',
        taskValidationRef.as('ref'),
      ])
      .whereRef('task_validations.card_id', '=', 'cards.id')
      .where(sameBoard('task_validations', 'cards'))
      .orderBy('task_validations.created_at')
      .orderBy('task_validations.id'),
  )

/** All validations of a card, oldest first. */
export const validationsOf = hot<OnBoard, TaskValidationRow>((db, param) =>
  db
    .selectFrom('task_validations')
    .selectAll()
    .select(taskValidationRef.as('ref'))
    .where('card_id', '=', param('id'))
    .where(onBoard('task_validations', param('board_id')))
    .orderBy('created_at')
    .orderBy('id'),
)

/**
 * The active validation of a card (cards 5.4): the newest of its latest round in `validation`, or null.
 * @param rows oldest first
 */
export const activeOf = <Row extends Pick<TaskValidationsTable, 'stay'>>(
  rows: readonly Row[],
  latestStay: number,
): Row | null => rows.findLast(row => row.stay === latestStay) ?? null

/**
 * The validations of a card in the order of the rows, with the active one marked.
 * @param rows oldest first
 */
export function taskValidations(rows: readonly TaskValidationRow[], latestStay: number): TaskValidationRecord[] {
  const active = activeOf(rows, latestStay)
  return rows.map(row => taskValidationOf(row, row === active))
}

/** A row as a task validation, with each of its scores and texts under both of its names. */
export function taskValidationOf(row: TaskValidationRow, active: boolean): TaskValidationRecord {
  const outcome = row.outcome as TaskValidationRecord['outcome']
  return {
    id: row.id,
    ref: row.ref,
    validation_id: row.id,
    card_id: row.card_id,
    board_id: row.board_id,
    outcome,
    verdict: outcome === 'success' ? 'pass' : 'fail',
    recommendation: row.recommendation as TaskValidationRecord['recommendation'],
    reviewer_id: row.reviewer_id,
    evaluator_id: row.reviewer_id,
    submitted_by: row.submitted_by,
    reviewer_name: row.reviewer_name,
    summary: row.summary,
    general_justification: row.summary,
    evidence: parseJson(row.evidence),
    confidence: row.confidence,
    confidence_justification: row.confidence_justification,
    completeness: row.completeness,
    estimated_completeness: row.completeness,
    completeness_justification: row.completeness_justification,
    drift: row.drift,
    estimated_drift: row.drift,
    drift_justification: row.drift_justification,
    threshold_violations: parseJson(row.threshold_violations),
    resolved_thresholds: parseNullable(row.resolved_thresholds),
    active,
    actor_type: row.actor_type,
    actor_via: row.actor_via,
    present: row.present === 1,
    created_at: row.created_at,
    submitted_at: row.created_at,
    // Only imported validations belong to no round.
    ...(row.stay === 0 && { imported: true as const }),
  }
}

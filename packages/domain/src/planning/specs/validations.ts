import type { features, SpecValidationRecord } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import { passGates } from '../../kernel/gates.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { nextPartRef } from '../../kernel/parts.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import { hot } from '../../schema/hot.ts'
import { specValidationRef } from '../../schema/refs.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import type { SpecValidationsTable } from '../../schema/tables.ts'
import { recordOn } from '../history/record-entry.ts'
import { changeStatus } from './change-status.ts'
import { specGates, validationGates } from './spec-gates.ts'
import { readSpec } from './store.ts'
import { outcomeOf, thresholdsOf, violationsOf } from './validation-outcome.ts'

type Specs = typeof features.specs

type Validation = z.output<typeof SpecValidationRecord>

type ImportableRow = Omit<SpecValidationsTable, 'number'> & {
  readonly number?: number
  readonly ref: string
  readonly imported?: Flag
}

const isImported = dialect.flag(sql`exists (select 1 from external_ids x
  where x.entity_id = spec_validations.id and ${sameBoard('x', 'spec_validations')})`)

const ofSpec = hot<OnBoard, ImportableRow>((db, param) =>
  db
    .selectFrom('spec_validations')
    .selectAll()
    .select([isImported.as('imported'), specValidationRef.as('ref')])
    .where('spec_id', '=', param('id'))
    .where(onBoard('spec_validations', param('board_id')))
    .orderBy('id', 'desc'),
)

const validationOf = (
  { imported, present, number: _, ...row }: ImportableRow,
  currentId: string | null,
): Validation => ({
  ...row,
  recommendation: row.recommendation as Validation['recommendation'],
  outcome: row.outcome as Validation['outcome'],
  threshold_violations: parseJson(row.threshold_violations),
  resolved_thresholds: parseJson(row.resolved_thresholds),
  present: present === 1,
  active: row.id === currentId,
  ...(imported === 1 && { imported: true as const }),
})

/** submit_spec_validation (specs 7.1). */
export const submitSpecValidation: Implementation<Specs['submit_spec_validation']> = async ({ params, body }, ctx) => {
  const facts = await specGates.read(ctx, params.spec_id)
  const { spec: before, settings } = facts
  const thresholds = thresholdsOf(settings)
  const violations = violationsOf(body, thresholds)
  const outcome = outcomeOf(body.recommendation, violations)
  passGates(validationGates(facts, ctx, outcome === 'success'))
  const { number, ref } = await nextPartRef(ctx.db, { id: before.id, board: before.board_id }, 'v')
  const row: SpecValidationsTable = {
    id: ctx.newId(),
    number,
    board_id: before.board_id,
    spec_id: before.id,
    reviewer_id: ctx.caller.id,
    reviewer_name: ctx.caller.name,
    ...body,
    outcome,
    threshold_violations: toJson(violations),
    resolved_thresholds: toJson(thresholds),
    actor_type: ctx.caller.kind,
    actor_via: ctx.caller.via,
    present: ctx.caller.present ? 1 : 0,
    created_at: ctx.now(),
  }
  await insertRow(ctx.db, 'spec_validations', row)
  await updateRow(ctx.db, 'specs', before.id, { current_validation_id: row.id, updated_at: ctx.now() })
  const spec_status = outcome === 'success' ? 'validated' : before.status
  await recordOn(ctx, 'spec', before, {
    activity: {
      action: 'spec_validation_submitted',
      details: {
        spec_id: before.id,
        validation_id: row.id,
        outcome,
        recommendation: body.recommendation,
        completeness: body.completeness,
        assertiveness: body.assertiveness,
        ambiguity: body.ambiguity,
        threshold_violations: violations,
        from_status: before.status,
        to_status: spec_status,
      },
    },
    history: {
      action: 'validation_submitted',
      changes: [{ field: 'current_validation_id', old: before.current_validation_id, new: row.id }],
      summary: `Validation: ${outcome}`,
    },
    domain: [{ name: 'spec.validation_submitted', spec_id: before.id, validation_id: row.id, outcome }],
  })
  if (outcome === 'success') await changeStatus(ctx, before, 'validated', 'Validated')
  return { ...validationOf({ ...row, ref }, row.id), spec_status }
}

/** list_spec_validations (specs 7.2). */
export const listSpecValidations: Implementation<Specs['list_spec_validations']> = async ({ params }, ctx) => {
  const { id, board_id, current_validation_id } = await readSpec(ctx.db, params.spec_id)
  const rows = await ofSpec(ctx.db, { id, board_id })
  return {
    spec_id: id,
    current_validation_id,
    validations: rows.map(row => validationOf(row, current_validation_id)),
  }
}

import { createdFields } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { nextRef } from '../../kernel/references.ts'
import { numberOf } from '../../lib/reference.ts'
import { insertRow } from '../../schema/rows.ts'
import { recordOn } from '../history/record-entry.ts'
import { columnsOf, type SpecRecord } from './store.ts'

/** The fields of a new spec: its board and title, and any of the others. */
export interface NewSpec
  extends Partial<
    Omit<
      SpecRecord,
      | 'id'
      | 'ref'
      | 'version'
      | 'rev'
      | 'locked'
      | 'current_validation_id'
      | 'changed_since_validated'
      | 'removed_item_numbers'
      | 'created_at'
      | 'updated_at'
    >
  > {
  readonly board_id: string
  readonly title: string
}

/** The lists of a spec that has none of them. */
export const noLists = {
  functional_requirements: null,
  technical_requirements: null,
  acceptance_criteria: null,
  test_scenarios: null,
  business_rules: null,
  api_contracts: null,
  decisions: null,
  screen_mockups: null,
}

/** The record that a spec was derived from (ideation 9). */
export interface SpecOrigin {
  readonly source: 'derived_ideation' | 'derived_refinement'
  readonly origin_id: string
}

/**
 * Stores a new spec at version 1, by default in `draft`, with defaults for missing fields, its history entry `created`
 * and activity `spec_created`. Checks nothing: the caller checks the rules of items (specs 4) first. `create_spec` and
 * both derive operations call it.
 */
export async function insertSpec(ctx: Context, fields: NewSpec, origin?: SpecOrigin): Promise<SpecRecord> {
  const now = ctx.now()
  const record: SpecRecord = {
    id: ctx.newId(),
    ref: await nextRef(ctx.db, fields.board_id),
    description: null,
    status: 'draft',
    version: 1,
    rev: 1,
    assignee_id: null,
    labels: null,
    archived: false,
    pre_archive_status: null,
    ideation_id: null,
    refinement_id: null,
    context: null,
    ...noLists,
    skip_test_coverage: false,
    skip_rules_coverage: false,
    skip_trs_coverage: false,
    skip_contract_coverage: false,
    skip_decisions_coverage: false,
    skip_qualitative_validation: false,
    validation_threshold: null,
    require_task_validation: null,
    validation_min_confidence: null,
    validation_min_completeness: null,
    validation_max_drift: null,
    evaluations: [],
    standing: false,
    created_by: ctx.caller.id,
    ...fields,
    current_validation_id: null,
    changed_since_validated: fields.status === 'validated' ? [] : null,
    removed_item_numbers: null,
    locked: false,
    created_at: now,
    updated_at: now,
  }
  await insertRow(ctx.db, 'specs', { ...columnsOf(record), number: numberOf(record.ref) })
  const { id, title, status } = record
  const lists = (['functional_requirements', 'technical_requirements', 'acceptance_criteria'] as const).filter(
    name => (record[name] ?? []).length > 0,
  )
  await recordOn(ctx, 'spec', record, {
    activity: {
      action: 'spec_created',
      details: { spec_id: id, title, status, ...(record.standing && { standing: true }) },
    },
    history: {
      action: 'created',
      changes: createdFields({ title, status, ...Object.fromEntries(lists.map(name => [name, record[name]])) }),
      summary: `Created "${title}"`,
    },
    domain: [{ name: 'spec.created', spec_id: id, ...origin }],
  })
  return record
}

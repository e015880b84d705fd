import { createdFields } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { nextRef } from '../../kernel/references.ts'
import { insertRow } from '../../schema/rows.ts'
import { recordOn } from '../history/record-entry.ts'
import type { SpecRecord } from '../specs/store.ts'
import { columnsOf, type SprintRecord } from './store.ts'

/**
 * Stores a new sprint of a spec in draft, with defaults for missing fields, its history entry `created` and activity
 * `sprint_created`. Checks nothing.
 */
export async function insertSprint(
  ctx: Context,
  spec: SpecRecord,
  fields: Pick<SprintRecord, 'title'> & Partial<SprintRecord>,
): Promise<SprintRecord> {
  const now = ctx.now()
  const sprint: SprintRecord = {
    description: null,
    objective: null,
    expected_outcome: null,
    start_date: null,
    end_date: null,
    test_scenario_ids: null,
    business_rule_ids: null,
    labels: null,
    evaluations: null,
    skip_test_coverage: false,
    skip_rules_coverage: false,
    skip_qualitative_validation: false,
    validation_threshold: null,
    require_task_validation: null,
    validation_min_confidence: null,
    validation_min_completeness: null,
    validation_max_drift: null,
    archived: false,
    pre_archive_status: null,
    ...fields,
    id: ctx.newId(),
    ref: await nextRef(ctx.db, spec.board_id),
    board_id: spec.board_id,
    spec_id: spec.id,
    spec_version: spec.version,
    status: 'draft',
    version: 1,
    rev: 1,
    created_by: ctx.caller.id,
    created_at: now,
    updated_at: now,
  }
  await insertRow(ctx.db, 'sprints', columnsOf(sprint))
  const { id, title, status, description, objective, expected_outcome } = sprint
  await recordOn(ctx, 'sprint', sprint, {
    activity: { action: 'sprint_created', details: { title, sprint_id: id, spec_id: spec.id } },
    history: {
      action: 'created',
      changes: createdFields({ title, status, description, objective, expected_outcome }),
      summary: `Created "${title}"`,
    },
    domain: [{ name: 'sprint.created', sprint_id: id, spec_id: spec.id }],
  })
  return sprint
}

/**
 * set_scenario_tests (evidence 3): traceability rather than content, so it is allowed while a spec is locked and in
 * every status.
 */
import type { features } from '@specboard/contract'
import { refuseArchived } from '../../kernel/archived.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { sameJson } from '../../lib/json.ts'
import { recordOn } from '../../planning/history/record-entry.ts'
import { shownProofOfScenario } from '../../planning/proof/proofs.ts'
import { columnsOf, readSpec } from '../../planning/specs/store.ts'
import { updateRow } from '../../schema/rows.ts'

export const setScenarioTests: Implementation<(typeof features.evidence)['set_scenario_tests']> = async (
  { params, body },
  ctx,
) => {
  refuseArchived(ctx.target)
  const spec = await readSpec(ctx.db, params.spec_id)
  const before = spec.test_scenarios?.find(({ id }) => id === params.scenario_id)
  if (before === undefined) throw notFound('test_scenario', params.scenario_id)
  const withProof = async (scenario: typeof before) => ({
    ...scenario,
    proof: await shownProofOfScenario(ctx.db, spec, scenario),
  })
  if (sameJson(before.tests, body.tests)) return withProof(before)
  const after = { ...before, tests: body.tests }
  const test_scenarios = spec.test_scenarios!.map(scenario => (scenario === before ? after : scenario))
  await updateRow(ctx.db, 'specs', spec.id, columnsOf({ test_scenarios, updated_at: ctx.now() }))
  await recordOn(ctx, 'spec', spec, {
    activity: {
      action: 'scenario_tests_set',
      details: { spec_id: spec.id, scenario_id: before.id, tests: body.tests.length },
    },
    history: {
      action: 'updated',
      changes: [{ field: `test_scenarios.${before.id}.tests`, old: before.tests, new: body.tests }],
      summary: `Set the tests of scenario ${before.id}`,
    },
    workOn: before.linked_task_ids ?? [],
    domain: [{ name: 'spec.updated', spec_id: spec.id, fields: ['test_scenarios'] }],
  })
  return withProof(after)
}

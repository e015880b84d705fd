import type { features } from '@specboard/contract'
import { boardSettings } from '../../kernel/board-settings.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { passGates } from '../../kernel/gates.ts'
import type { Implementation } from '../../kernel/implement.ts'
import type { Db } from '../../schema/database.ts'
import { updateRow } from '../../schema/rows.ts'
import { type Evidence, evidenceOf } from '../evidence.ts'
import { recordOn } from '../history/record-entry.ts'
import { shownProofOfScenario } from '../proof/proofs.ts'
import { keepResults, recordResult } from '../proof/results.ts'
import { tierOf } from '../proof/tiers.ts'
import { checkEvidence, statusChanged } from './scenario-evidence.ts'
import { resultGates } from './spec-gates.ts'
import { columnsOf, readSpec } from './store.ts'

/** record_scenario_result (specs 3.5): changes one scenario, also of a locked spec; its version and evaluations stay. */
export const recordScenarioResult: Implementation<typeof features.specs.record_scenario_result> = async (
  { params, body },
  ctx,
) => {
  const spec = await readSpec(ctx.db, params.spec_id)
  passGates(resultGates(spec))
  const before = spec.test_scenarios?.find(scenario => scenario.id === params.scenario_id)
  if (before === undefined) throw notFound('test_scenario', params.scenario_id)
  const { status, evidence = null, commit = null } = body
  const repository_id = await testedRepository(ctx.db, spec.board_id, body.repository_id ?? undefined)
  const latest = evidenceOf({ status, evidence }) === null ? null : withTime(evidence!, status, ctx.now())
  const after = { ...before, status, ...(latest !== null && { latest_evidence: latest }) }
  const settings = await boardSettings(ctx.db, spec.board_id)
  checkEvidence([latest === null ? after : { ...after, evidence: null }], settings)
  const test_scenarios = spec.test_scenarios!.map(scenario => (scenario === before ? after : scenario))
  await updateRow(ctx.db, 'specs', spec.id, columnsOf({ test_scenarios, updated_at: ctx.now() }))
  await recordOn(ctx, 'spec', spec, {
    ...(before.status !== after.status && {
      activity: statusChanged(spec, { scenario: after, from: before.status }, settings),
    }),
    history: {
      action: 'updated',
      changes: [{ field: `test_scenarios.${before.id}.status`, old: before.status, new: after.status }],
      summary: body.note ?? `Recorded scenario ${before.id} as ${after.status}`,
    },
    workOn: before.linked_task_ids ?? [],
    domain: [{ name: 'spec.updated', spec_id: spec.id, fields: ['test_scenarios'] }],
  })
  const view = async () => ({ ...after, proof: await shownProofOfScenario(ctx.db, spec, after) })
  if (status === 'ready') return view()
  const source = { commit_sha: commit, repository_id, seen_by: null, report_id: null, run_id: null }
  const result = { scenario: before, to: status, ...tierOf(ctx, false), cases: [], flaky: false }
  await recordResult(ctx, source, spec, result, await keepResults(ctx, source, spec, [result]))
  return view()
}

/**
 * The repository of the commit at which a scenario was tested, by id or name; if none is given, the only one.
 * @throws DomainError VALIDATION_ERROR
 */
async function testedRepository(db: Db, board: string, reference: string | undefined): Promise<string | null> {
  const all = await db.selectFrom('repositories').select(['id', 'name']).where('board_id', '=', board).execute()
  if (reference === undefined) return all.length === 1 ? all[0]!.id : null
  const found = all.find(({ id, name }) => id === reference || name.toLowerCase() === reference.toLowerCase())
  if (found !== undefined) return found.id
  throw invalid('repository_id', 'repository_id names no repository of this board. list_repositories names them.')
}

/** Evidence of a run that lacks a time: the service adds its own, marked as such (crew 9.7). */
const withTime = <Sent extends Evidence>(evidence: Sent, status: string, now: string) =>
  (status === 'passed' || status === 'failed') && evidence.last_run_at == null
    ? { ...evidence, last_run_at: now, last_run_at_by: 'service' }
    : evidence

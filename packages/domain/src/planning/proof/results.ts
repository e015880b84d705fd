/** Stored results of scenarios: the newest of each tier (evidence 4). */
import { createHash } from 'node:crypto'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { toJson } from '../../lib/json.ts'
import { hot } from '../../schema/hot.ts'
import { insertRows } from '../../schema/rows.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { ScenarioResultsTable } from '../../schema/tables.ts'
import { recordOn } from '../history/record-entry.ts'
import type { OutdatedReason } from './rules.ts'
import { isAbove, type Tier, type TierVerdict } from './tiers.ts'

/** The fields of a scenario that its tests depend on. */
export interface ScenarioText {
  readonly title: string
  readonly given: string
  readonly when: string
  readonly then: string
  readonly tests: readonly string[]
}

/** A spec whose scenarios have results. */
interface TestedSpec {
  readonly id: string
  readonly board_id: string
  readonly status: string
  readonly version: number
}

const hashOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/**
 * The fingerprint of a scenario and of how it is tested: a result for a different one says nothing about it (evidence
 * 4, rule 7).
 */
export const fingerprintOf = ({ title, given, when, then, tests }: ScenarioText): string =>
  `${hashOf(title, given, when, then)} ${hashOf(tests)}`

/** The fingerprint as versions before 1.0 stored it. */
const formerPrintOf = ({ title, given, when, then, tests }: ScenarioText): string =>
  hashOf(title, given, when, then, tests)

/**
 * Determines what changed in a scenario since a result, by the result's fingerprint; null if nothing did. The
 * scenario's own fingerprint is computed once for all of its results.
 */
export function changesSince(scenario: ScenarioText): (print: string) => OutdatedReason | null {
  const now = fingerprintOf(scenario)
  const [content] = now.split(' ')
  return print => {
    if (print === now || (!print.includes(' ') && print === formerPrintOf(scenario))) return null
    return print.startsWith(`${content} `) ? 'tests_changed' : 'scenario_changed'
  }
}

const printed = new WeakMap<ScenarioText, ReturnType<typeof changesSince>>()

/** The same for a scenario object that nobody changes: its fingerprint is computed only once. */
export function changesOf(scenario: ScenarioText): ReturnType<typeof changesSince> {
  const cached = printed.get(scenario) ?? changesSince(scenario)
  printed.set(scenario, cached)
  return cached
}

/** The source of results: a report, a run, or only a claim. */
export interface ResultSource {
  readonly commit_sha: string | null
  readonly repository_id: string | null
  /** Who was shown the key that sent it, unless that was a present person. */
  readonly seen_by: string | null
  readonly report_id: string | null
  readonly run_id: string | null
}

/** A result of a scenario to be stored. */
export interface NewResult extends TierVerdict {
  /** The scenario as it was before. */
  readonly scenario: ScenarioText & { readonly id: string; readonly status: string }
  readonly to: ScenarioResultsTable['status']
  /** The addresses of its tests. */
  readonly cases: readonly string[]
  readonly flaky: boolean
}

/** The results that were stored before new ones arrived, by scenario. */
export type StoredResults = ReadonlyMap<string, readonly ScenarioResultsTable[]>

/** Stores results of a spec as the newest of their tiers; returns those that were stored before. */
export async function keepResults(
  ctx: Context,
  source: ResultSource,
  spec: OnBoard,
  results: readonly NewResult[],
): Promise<StoredResults> {
  const standing = await resultsOfSpec(ctx.db, spec)
  for (const [tier, own] of Map.groupBy(results, each => each.tier)) {
    const scenarios = JSON.stringify(own.map(({ scenario }) => scenario.id))
    await removeResults(ctx.db, { id: spec.id, board_id: spec.board_id, tier, scenarios })
  }
  const { commit_sha, repository_id, seen_by, report_id, run_id } = source
  await insertRows(
    ctx.db,
    'scenario_results',
    results.map(({ scenario, to, tier, tier_reason, cases, flaky }) => ({
      spec_id: spec.id,
      scenario_id: scenario.id,
      tier,
      board_id: spec.board_id,
      tier_reason,
      status: to,
      seen_by,
      commit_sha,
      repository_id,
      report_id,
      run_id,
      cases: toJson(cases.slice(0, 3)),
      is_flaky: flaky ? 1 : 0,
      print: fingerprintOf(scenario),
      made_at: ctx.now(),
    })),
  )
  return Map.groupBy(standing, each => each.scenario_id)
}

const resultsOfSpec = hot<OnBoard, ScenarioResultsTable>((db, param) =>
  db
    .selectFrom('scenario_results')
    .selectAll()
    .where('spec_id', '=', param('id'))
    .where(onBoard('scenario_results', param('board_id'))),
)

const removeResults = hot<OnBoard & { tier: Tier; scenarios: string }, never>(
  (_, param) => sql<never>`delete from scenario_results
    where spec_id = ${param('id')} and ${onBoard('scenario_results', param('board_id'))} and tier = ${param('tier')}
    and ${dialect.inList(sql.ref('scenario_id'), param('scenarios'))}`,
)

/** Records what a result changes (evidence 9). */
export async function recordResult(
  ctx: Context,
  source: ResultSource,
  spec: TestedSpec,
  { scenario, to, tier }: Pick<NewResult, 'scenario' | 'to' | 'tier'>,
  standing: StoredResults,
): Promise<void> {
  const before = standing.get(scenario.id) ?? []
  const former = before.find(other => other.tier === tier)
  const isNews = scenario.status !== to || former?.status !== to
  const details = {
    spec_id: spec.id,
    scenario_id: scenario.id,
    tier,
    from: scenario.status,
    to,
    ...(source.run_id !== null && source.report_id === null
      ? { run_id: source.run_id }
      : { report_id: source.report_id }),
    commit: source.commit_sha,
  }
  const regressed = to === 'failed' && spec.status === 'done'
  const action = to === 'passed' ? 'scenario_proved' : regressed ? 'scenario_regressed' : 'scenario_failed'
  // A mere claim is recorded by the change of the scenario's status.
  const isWord = source.report_id === null && source.run_id === null && tier === 'claimed'
  if (isNews && !isWord && to !== 'automated') await recordOn(ctx, 'spec', spec, { activity: { action, details } })
  const changed = changesSince(scenario)
  const outranked = before.some(
    other => isAbove(other.tier, tier) && other.status !== to && changed(other.print) === null,
  )
  if (outranked) await recordOn(ctx, 'spec', spec, { activity: { action: 'evidence_outranked', details } })
}

/** The effects of a report on scenarios and records (evidence 4): computed first, so that a preview shows the same. */
import type { ReportMapping } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import type { z } from 'zod'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { refsOn } from '../../kernel/references.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import { piecesOf } from '../../lib/pieces.ts'
import { recordOn } from '../../planning/history/record-entry.ts'
import { fingerprintOf, keepResults, type ResultSource, recordResult } from '../../planning/proof/results.ts'
import { lowestOf, type Reason, type Tier, type TierVerdict } from '../../planning/proof/tiers.ts'
import type { Scenario } from '../../planning/specs/items.ts'
import { statusChanged } from '../../planning/specs/scenario-evidence.ts'
import { columnsOf, readSpecs, type SpecRecord } from '../../planning/specs/store.ts'
import type { ReportScenario } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { inPieces, turning } from '../../schema/in-pieces.ts'
import { insertRows, updateRow } from '../../schema/rows.ts'
import type { ReportRecordsTable } from '../../schema/tables.ts'
import type { CoveredRecord } from './board-names.ts'
import { recordsChangedIn, workOf } from './changes-of.ts'
import { ignoredBecause, mergedTests, outcomeOf, snippetOf } from './judging.ts'
import { maxShown, type ReportSummary } from './reading/gathered.ts'
import type { ReportRow } from './store.ts'

export type Mapping = z.output<typeof ReportMapping>

/** A scenario whose status a report sets. */
export interface SetScenario {
  readonly scenario: Scenario
  readonly to: 'passed' | 'failed'
  readonly tests: ReportScenario
  readonly tier: Tier
  readonly tier_reason: Reason
  /** The text stored as evidence; by default the counts of the tests. */
  readonly snippet?: string
}

/** A spec with the scenarios whose status a report sets. */
export interface SetSpec {
  readonly spec: SpecRecord
  readonly set: readonly SetScenario[]
}

/** The effects of a report, before any of them is written. */
export interface Effects {
  readonly mapping: Mapping
  readonly specs: readonly SetSpec[]
  readonly records: readonly Omit<ReportRecordsTable, 'report_id' | 'board_id'>[]
  /** The results of its tests for scenarios, with the scenarios' state at the time. */
  readonly results: readonly {
    readonly spec_id: string
    readonly scenario_id: string
    readonly print: string
    readonly content: ReportScenario
  }[]
}

/** The results of another report of the same run. */
interface Sibling {
  readonly spec_id: string
  readonly scenario_id: string
  readonly print: string
  readonly content: ReportScenario
  readonly tier: Tier
  readonly tier_reason: Reason
}

/** Reads the specs of a report, by id; those that no longer exist are left out. */
export type ReadSpecs = (ids: readonly string[]) => Promise<ReadonlyMap<string, SpecRecord>>

/** The number of specs to read, and of scenarios to evaluate or set, before yielding. */
export const specsAtOnce = 20
const scenariosAtOnce = 50

const merged = (parts: readonly ReadonlyMap<string, SpecRecord>[]): Map<string, SpecRecord> =>
  new Map(parts.flatMap(part => [...part]))

/** Reads specs in pieces. */
export const specsByPieces =
  (read: (ids: readonly string[]) => Promise<ReadonlyMap<string, SpecRecord>>): ReadSpecs =>
  async ids => {
    const parts: ReadonlyMap<string, SpecRecord>[] = []
    for (const piece of piecesOf(ids, specsAtOnce)) parts.push(await read(piece))
    return merged(parts)
  }

/** Reads specs in a unit of work that writes, yielding to the event loop between pieces (trust 1). */
const specsOfUnit =
  (db: Db, board: string): ReadSpecs =>
  async ids =>
    merged(await inPieces(db, ids, piece => readSpecs(db, board, piece), specsAtOnce))

/**
 * Computes the effects of a report.
 * @param beforehand the specs, if they were read before; otherwise the unit of work writes, and yields in between
 */
export async function effectsOf(
  { db }: Pick<Context, 'db'>,
  row: ReportRow,
  gathered: ReportSummary,
  spokenFor: readonly CoveredRecord[],
  beforehand?: ReadonlyMap<string, SpecRecord>,
): Promise<Effects> {
  const step = beforehand === undefined ? turning(db, scenariosAtOnce) : () => undefined
  const changed = await recordsChangedIn(db, row)
  const named = new Set([...spokenFor.map(({ id }) => id), ...changed.map(({ entity_id }) => entity_id)])
  const onDefault = await isOfDefaultBranch(db, row)
  const bySpec = Map.groupBy(gathered.scenarios, ({ spec_id }) => spec_id)
  const stored = beforehand ?? (await specsOfUnit(db, row.board_id)([...bySpec.keys()]))
  const work = await workOf(db, row.board_id, [...bySpec.keys()])
  const run = await reportsOfRun(db, row)
  const siblingsOf = Map.groupBy(run.siblings, ({ spec_id, scenario_id }) => `${spec_id} ${scenario_id}`)
  const scenarios: Mapping['scenarios'] = []
  const specs: SetSpec[] = []
  const results: Effects['results'][number][] = []
  const proven = new Set<string>()
  for (const [spec_id, tested] of bySpec) {
    const spec = stored.get(spec_id)
    if (spec === undefined) continue
    const own = work.get(spec_id)!
    const isOwn = !own.isChanged || [...own.ids].some(id => named.has(id))
    const reason = ignoredBecause({ status: spec.status, archived: spec.archived, onDefault, isOwn })
    const set: SetScenario[] = []
    const byId = new Map((spec.test_scenarios ?? []).map(scenario => [scenario.id, scenario]))
    for (const { spec_id: _, scenario_id, ...content } of tested) {
      const scenario = byId.get(scenario_id)
      if (scenario === undefined) continue
      await step()
      const print = fingerprintOf(scenario)
      results.push({ spec_id, scenario_id, print, content })
      const others = (siblingsOf.get(`${spec_id} ${scenario_id}`) ?? []).filter(other => other.print === print)
      const tests = mergedTests([content, ...others.map(other => other.content)])
      const { result, unmatched } = outcomeOf(scenario.tests, tests)
      const counts = reason === null && !run.isReplaced
      const to = counts && result !== 'incomplete' ? result : scenario.status
      if (counts && result !== 'incomplete') set.push({ scenario, to: result, tests, ...lowestTier([row, ...others]) })
      if (counts) for (const id of scenario.linked_task_ids ?? []) proven.add(id)
      scenarios.push({
        spec_id,
        spec_ref: spec.ref,
        scenario_id,
        title: scenario.title,
        from: scenario.status,
        to,
        result: reason === null ? result : 'ignored',
        reason,
        tests: tests.tests,
        cases: [...tests.cases],
        unmatched: [...unmatched],
        skipped: tests.skipped,
        flaky: tests.flaky,
      })
    }
    if (set.length > 0) specs.push({ spec, set })
  }
  const records = new Map<string, Effects['records'][number]>()
  const add = (record: Effects['records'][number]) => {
    if (!records.has(record.entity_id)) records.set(record.entity_id, record)
  }
  for (const { type, id } of spokenFor) add({ entity_type: type, entity_id: id, how: 'for' })
  for (const record of changed) add(record)
  for (const id of proven) add({ entity_type: 'card', entity_id: id, how: 'scenario' })
  const refs = await refsOn(db, row.board_id, records.keys())
  const all = [...records.values()]
  return {
    mapping: {
      scenarios: scenarios.slice(0, maxShown),
      scenarios_total: scenarios.length,
      records: all.slice(0, maxShown).map(({ entity_type, entity_id, how }) => ({
        entity_type,
        id: entity_id,
        ref: refs.get(entity_id) ?? null,
        how: how as Mapping['records'][number]['how'],
      })),
      records_total: all.length,
      unknown_refs: [...gathered.unknownRefs.items],
      unknown_refs_total: gathered.unknownRefs.total,
      unmapped: [...gathered.unmapped.items],
      unmapped_total: gathered.unmapped.total,
    },
    specs,
    records: all,
    results,
  }
}

/** Whether a commit or branch belongs to the default branch of its repository. */
export async function isOfDefaultBranch(
  db: Db,
  { repository_id, branch }: Pick<ReportRow, 'repository_id' | 'branch'>,
): Promise<boolean> {
  if (repository_id === null || branch === null) return false
  const [repository] = await db
    .selectFrom('repositories')
    .select('default_branch')
    .where('id', '=', repository_id)
    .execute()
  return repository?.default_branch === branch
}

/** The results of the other reports of a run: for each name the last attempt (evidence 4, rule 1). */
async function reportsOfRun(
  db: Db,
  row: ReportRow,
): Promise<{ readonly siblings: readonly Sibling[]; readonly isReplaced: boolean }> {
  if (row.ci_run === null) return { siblings: [], isReplaced: false }
  const others = await db
    .selectFrom('test_reports')
    .select(['id', 'name', 'attempt', 'tier', 'tier_reason', 'repository_id', 'commit_sha'])
    .where('board_id', '=', row.board_id)
    .where('ci_run', '=', row.ci_run)
    .where('id', '<>', row.id)
    .where('origin', 'is', null)
    .execute()
  const ofRun = others.filter(
    ({ repository_id, commit_sha }) => repository_id === row.repository_id && commit_sha === row.commit_sha,
  )
  const last = new Map<string, (typeof ofRun)[number]>()
  for (const other of ofRun) if (other.attempt > (last.get(other.name)?.attempt ?? 0)) last.set(other.name, other)
  const isReplaced = (last.get(row.name)?.attempt ?? 0) > row.attempt
  last.delete(row.name)
  const ids = [...last.values()].map(({ id }) => id)
  if (ids.length === 0) return { siblings: [], isReplaced }
  const rows = await db
    .selectFrom('report_scenarios')
    .selectAll()
    .where(eb => dialect.inList(eb.ref('report_id'), JSON.stringify(ids)))
    .execute()
  const tiers = new Map(ofRun.map(({ id, tier, tier_reason }) => [id, { tier, tier_reason }]))
  return {
    isReplaced,
    siblings: rows.map(({ report_id, spec_id, scenario_id, print, content }) => ({
      spec_id,
      scenario_id,
      print,
      content: parseJson(content),
      ...tiers.get(report_id)!,
    })),
  }
}

function lowestTier(of: readonly TierVerdict[]): TierVerdict {
  const { tier, tier_reason } = lowestOf(of)
  return { tier, tier_reason }
}

/** Writes the effects of a stored report. */
export async function applyEffects(ctx: Context, row: ReportRow, { specs, records, results }: Effects): Promise<void> {
  const { db } = ctx
  const of = { report_id: row.id, board_id: row.board_id }
  const recordRows = records.map(record => ({ ...of, ...record }))
  await inPieces(db, recordRows, piece => insertRows(db, 'report_records', piece))
  const resultRows = results.map(({ content, ...each }) => ({ ...of, ...each, content: toJson(content) }))
  await inPieces(db, resultRows, piece => insertRows(db, 'report_scenarios', piece))
  const source = { ...row, report_id: row.id, run_id: null, said: `Report ${row.name}` }
  const step = turning(db, scenariosAtOnce)
  for (const each of specs) await applyToSpec(ctx, source, each, step)
}

/** The source of a scenario's new status: a report or a run. */
interface Source extends ResultSource {
  /** The text for the history. */
  readonly said: string
}

/**
 * Sets scenarios of a spec, and records what that changes (evidence 4, rule 6).
 * @param step yields to others
 */
export async function applyToSpec(
  ctx: Context,
  source: Source,
  { spec, set }: SetSpec,
  step: () => Promise<void> | undefined,
): Promise<void> {
  const settings = await boardSettings(ctx.db, spec.board_id)
  const after = new Map(
    set.map(({ scenario, to, tests, snippet }) => [
      scenario.id,
      {
        ...scenario,
        status: to,
        latest_evidence: {
          test_file_path: tests.file,
          test_function: tests.name,
          last_run_at: ctx.now(),
          test_run_id: source.report_id ?? source.run_id,
          output_snippet: snippet ?? snippetOf(tests),
        },
      },
    ]),
  )
  const test_scenarios = spec.test_scenarios!.map(scenario => after.get(scenario.id) ?? scenario)
  await updateRow(ctx.db, 'specs', spec.id, columnsOf({ test_scenarios, updated_at: ctx.now() }))
  const results = set.map(({ tests, ...one }) => ({ ...one, cases: tests.cases, flaky: tests.flaky }))
  const standing = await keepResults(ctx, source, spec, results)
  for (const one of set) {
    await step()
    if (one.scenario.status !== one.to)
      await recordOn(ctx, 'spec', spec, {
        activity: statusChanged(spec, { scenario: after.get(one.scenario.id)!, from: one.scenario.status }, settings),
        history: {
          action: 'updated',
          changes: [{ field: `test_scenarios.${one.scenario.id}.status`, old: one.scenario.status, new: one.to }],
          summary: `${source.said} set scenario ${one.scenario.id} to ${one.to}`,
        },
        workOn: one.scenario.linked_task_ids ?? [],
        domain: [{ name: 'spec.updated', spec_id: spec.id, fields: ['test_scenarios'] }],
      })
    await recordResult(ctx, source, spec, one, standing)
  }
}

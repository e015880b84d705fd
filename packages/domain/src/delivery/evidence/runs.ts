/** Proof runs: a command that is watched from start to finish (evidence 5). */
import { type features, issueItem } from '@specboard/contract'
import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, InvalidInput, invalid, notFound, refuse } from '../../kernel/errors.ts'
import type { Implementation, Input } from '../../kernel/implement.ts'
import { refsOn } from '../../kernel/references.ts'
import { parseJson, parseNullable, toJson } from '../../lib/json.ts'
import { parseReference } from '../../lib/reference.ts'
import { type TierVerdict, tierOfCi } from '../../planning/proof/tiers.ts'
import { readSpec } from '../../planning/specs/store.ts'
import type { ProofTargets } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { turning } from '../../schema/in-pieces.ts'
import { insertRow, insertRows, updateRow } from '../../schema/rows.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { ProofRunsTable } from '../../schema/tables.ts'
import { keysOf } from '../git/store.ts'
import { type CoveredRecords, recordsNamed } from './board-names.ts'
import { repositoryOfRun, runContextOf } from './ci-run.ts'
import { applyToSpec, isOfDefaultBranch, type Mapping, type SetScenario } from './effects.ts'
import { ignoredBecause } from './judging.ts'
import { maxShown } from './reading/gathered.ts'
import { withSpelledOut } from './reading/spelled-out.ts'

type Evidence = typeof features.evidence

const hourMs = 3_600_000

/** The time limit of a run, ms. */
const maxMs = 6 * hourMs

/** How far a reported duration may exceed what the service measured, ms. */
const toleranceMs = 2_000

/** How a board treats a run that a hook observed (harness 3.2, rule 5). */
type HookEvidence = Settings['hook_evidence']

/** The tier of a run: over MCP it is only a claim, because the caller might say anything (evidence 5, rule 1). */
function tierOfRun(
  { caller, origin }: Pick<Context, 'caller' | 'origin'>,
  {
    hookEvidence,
    ofCi = tierOfCi(caller),
  }: { readonly hookEvidence?: HookEvidence | undefined; readonly ofCi?: TierVerdict } = {},
): TierVerdict {
  if (origin === 'mcp') return { tier: 'claimed', tier_reason: 'mcp' }
  if (hookEvidence !== undefined)
    return { tier: hookEvidence === 'observed' ? 'observed' : 'claimed', tier_reason: 'hook' }
  return caller.kind === 'ci' ? ofCi : { tier: 'observed', tier_reason: 'run' }
}

/**
 * The cards, specs and scenarios of a board that a run names.
 * @throws DomainError VALIDATION_ERROR
 */
async function targetsNamed(
  db: Db,
  board: string,
  names: readonly string[],
): Promise<ProofTargets & Pick<CoveredRecords, 'refusal'>> {
  const plain = names.filter(name => !name.includes('/'))
  const keys = await keysOf(db, board)
  const { records, refusal } = await recordsNamed(db, board, plain)
  const scenarios: ProofTargets['scenarios'][number][] = []
  for (const name of names.filter(name => name.includes('/'))) {
    const slash = name.indexOf('/')
    const reference = parseReference(name.slice(0, slash))
    const scenario_id = name.slice(slash + 1)
    const [row] =
      reference === undefined || !keys.has(reference.key)
        ? []
        : await db
            .selectFrom('specs')
            .select('id')
            .where('board_id', '=', board)
            .where('number', '=', reference.number)
            .execute()
    const spec = row === undefined ? undefined : await readSpec(db, row.id)
    if (spec?.test_scenarios?.some(({ id }) => id === scenario_id) !== true)
      throw invalid('for', `for names no scenario here: ${name.slice(0, 100)}. Write it as SPE-3/S2.`, {
        unknown: [name.slice(0, 100)],
      })
    scenarios.push({ spec_id: spec.id, scenario_id })
  }
  return { records, scenarios, refusal }
}

/** A run as callers see it. */
async function shownRun(db: Db, row: ProofRunsTable) {
  const reports = await db
    .selectFrom('test_reports')
    .select('id')
    .where('proof_run_id', '=', row.id)
    .where(onBoard('test_reports', row.board_id))
    .where('proof_run_id', 'is not', null)
    .where('origin', 'is', null)
    .orderBy('id')
    .execute()
  return {
    id: row.id,
    board_id: row.board_id,
    for: [...parseJson(row.targets)],
    commit: row.commit_sha,
    tree: row.tree,
    dirty: row.is_dirty === 1,
    branch: row.branch,
    repository_id: row.repository_id,
    command: row.command,
    status: row.status,
    exit_code: row.exit_code,
    signal: row.signal,
    output_sha256: row.output_sha256,
    output_bytes: row.output_bytes,
    output_tail: row.output_tail,
    duration_ms: row.duration_ms,
    report_ids: reports.map(({ id }) => id),
    tier: row.tier,
    tier_reason: row.tier_reason,
    started_at: row.started_at,
    expires_at: row.expires_at,
    finished_at: row.finished_at,
    started_by: row.started_by,
    mapping: parseNullable(row.mapping),
  }
}

export const beginProofRun: Implementation<Evidence['begin_proof_run']> = async ({ body }, ctx) =>
  shownRun(ctx.db, await beginRun(ctx, body))

/**
 * Starts a run on the addressed board; one that a hook observed is found again by its key (evidence 5, harness 3.2,
 * rule 5).
 */
export async function beginRun(
  ctx: Context,
  body: Input<Evidence['begin_proof_run']>['body'],
  hook_key: string | null = null,
): Promise<ProofRunsTable> {
  const { db, boardId, caller } = ctx
  const hookEvidence = body.via === 'hook' ? (await boardSettings(db, boardId)).hook_evidence : undefined
  const repository = await repositoryOfRun(ctx, body.repository_id ?? undefined)
  const of = await runContextOf(ctx, body, true)
  const { refusal, ...targets } = await targetsNamed(db, boardId, body.for)
  refuse(refusal)
  const row: ProofRunsTable = {
    id: ctx.newId(),
    board_id: boardId,
    targets: toJson([...body.for]),
    meant: toJson(targets),
    commit_sha: of.commit,
    tree: body.tree ?? null,
    is_dirty: body.dirty ? 1 : 0,
    branch: of.branch,
    repository_id: repository?.id ?? null,
    command: withSpelledOut(body.command),
    host: body.host ?? null,
    status: 'running',
    exit_code: null,
    signal: null,
    output_sha256: null,
    output_bytes: null,
    output_tail: null,
    duration_ms: null,
    ...tierOfRun(ctx, { hookEvidence, ofCi: of.judged }),
    hook_key,
    seen_by: of.seen_by,
    mapping: null,
    started_by: caller.id,
    started_at: ctx.now(),
    expires_at: new Date(Date.parse(ctx.now()) + maxMs).toISOString(),
    finished_at: null,
    origin: null,
  }
  await insertRow(db, 'proof_runs', row)
  return row
}

/**
 * Refuses a run that is over.
 * @throws DomainError INVALID_STATE
 */
function checkRunning(ctx: Context, { status, expires_at }: ProofRunsTable): void {
  const now = status === 'running' && expires_at <= ctx.now() ? 'expired' : status
  if (now !== 'running')
    throw blocked('INVALID_STATE', `The run is ${now}. Begin another one with begin_proof_run.`, { status: now })
}

/**
 * The running run that a report belongs to.
 * @throws DomainError VALIDATION_ERROR, INVALID_STATE
 */
export async function runOfReport(ctx: Context, id: string): Promise<ProofRunsTable> {
  const [row] = await ctx.db.selectFrom('proof_runs').selectAll().where('id', '=', id).execute()
  if (row === undefined || row.board_id !== ctx.boardId || row.started_by !== ctx.caller.id)
    throw invalid('proof_run_id', 'proof_run_id is not a run of yours on this board. Begin one with begin_proof_run.')
  checkRunning(ctx, row)
  return row
}

export const finishProofRun: Implementation<Evidence['finish_proof_run']> = async ({ params, body }, ctx) => {
  const [run] = await ctx.db.selectFrom('proof_runs').selectAll().where('id', '=', params.run_id).execute()
  if (run === undefined || run.started_by !== ctx.caller.id) throw notFound('proof_run', params.run_id)
  if (body.exit_code === undefined && body.unknown === undefined)
    throw new InvalidInput([
      issueItem(['body', 'exit_code'], 'missing', 'Field required; send unknown where it is not known', {}),
    ])
  return finishRun(ctx, run, body)
}

/**
 * Ends a run of the caller.
 * @throws DomainError VALIDATION_ERROR, INVALID_STATE
 */
export async function finishRun(ctx: Context, run: ProofRunsTable, body: Input<Evidence['finish_proof_run']>['body']) {
  const { db } = ctx
  const duration_ms = body.duration_ms ?? null
  const seenMs = Date.parse(ctx.now()) - Date.parse(run.started_at)
  if (duration_ms !== null && duration_ms > seenMs + toleranceMs)
    throw invalid('duration_ms', `duration_ms is more than the ${seenMs} ms since the run began.`)
  checkRunning(ctx, run)
  const reports = await db
    .selectFrom('test_reports')
    .select(['outcome', 'executed'])
    .where('proof_run_id', '=', run.id)
    .where(onBoard('test_reports', run.board_id))
    .where('proof_run_id', 'is not', null)
    .where('origin', 'is', null)
    .execute()
  const executed = reports.reduce((sum, report) => sum + report.executed, 0)
  const isPassed = body.exit_code === 0 && reports.every(({ outcome }) => outcome !== 'failed')
  const isEmpty = body.exit_code === undefined || (body.reports_expected && executed === 0)
  const status = isEmpty ? 'empty' : isPassed ? 'passed' : 'failed'
  const endTier = tierOfRun(ctx)
  const ended: ProofRunsTable = {
    ...run,
    status,
    exit_code: body.exit_code ?? null,
    hook_key: null,
    signal: body.signal ?? null,
    output_sha256: body.output_sha256 ?? null,
    output_bytes: body.output_bytes ?? null,
    output_tail: body.output_tail == null ? null : withSpelledOut(body.output_tail),
    duration_ms,
    finished_at: ctx.now(),
    // Both start and end have to be observed.
    ...(endTier.tier === 'claimed' && endTier),
  }
  const mapping = await applyRun(ctx, ended)
  const { records } = parseJson(run.meant)
  await insertRows(
    db,
    'run_records',
    records.map(({ type, id }) => ({
      run_id: run.id,
      board_id: run.board_id,
      entity_type: type,
      entity_id: id,
    })),
  )
  const { id, board_id: _, ...changed } = { ...ended, mapping: toJson(mapping) }
  await updateRow(db, 'proof_runs', id, changed)
  await ctx.record({
    boardId: run.board_id,
    entity: { type: 'board', id: run.board_id },
    activity: {
      action: 'proof_run_finished',
      details: { run_id: id, status, exit_code: ended.exit_code, command: run.command.slice(0, 200) },
    },
    workOn: records.filter(({ type }) => type === 'card').map(record => record.id),
  })
  return shownRun(db, { ...run, ...changed })
}

/** Sets the scenarios that a run names (evidence 5, rule 3). */
async function applyRun(ctx: Context, run: ProofRunsTable): Promise<Mapping> {
  const { db } = ctx
  const { records, scenarios } = parseJson(run.meant)
  const onDefault = await isOfDefaultBranch(db, run)
  const entries: Mapping['scenarios'] = []
  const step = turning(ctx.db)
  for (const [spec_id, named] of Map.groupBy(scenarios, each => each.spec_id)) {
    const spec = await readSpec(db, spec_id)
    const reason = ignoredBecause({ status: spec.status, archived: spec.archived, onDefault, isOwn: true })
    const to = run.status === 'passed' || run.status === 'failed' ? run.status : undefined
    const set: SetScenario[] = []
    for (const { scenario_id } of named) {
      const scenario = spec.test_scenarios?.find(({ id }) => id === scenario_id)
      if (scenario === undefined) continue
      if (to !== undefined && reason === null)
        set.push({
          scenario,
          to,
          tests: noTests,
          tier: run.tier,
          tier_reason: run.tier_reason,
          snippet: snippetOfRun(run),
        })
      entries.push({
        spec_id,
        spec_ref: spec.ref,
        scenario_id,
        title: scenario.title,
        from: scenario.status,
        to: reason === null ? (to ?? scenario.status) : scenario.status,
        result: reason === null ? (to ?? 'incomplete') : 'ignored',
        reason,
        tests: 0,
        cases: [],
        unmatched: [],
        skipped: 0,
        flaky: false,
      })
    }
    // The test belongs to no commit if the work tree had uncommitted changes.
    const commit_sha = run.is_dirty === 1 ? null : run.commit_sha
    const source = { ...run, commit_sha, report_id: null, run_id: run.id, said: `Run of ${run.command.slice(0, 60)}` }
    if (set.length > 0) await applyToSpec(ctx, source, { spec, set }, step)
  }
  const refs = await refsOn(
    db,
    run.board_id,
    records.map(({ id }) => id),
  )
  return {
    scenarios: entries.slice(0, maxShown),
    scenarios_total: entries.length,
    records: records.map(({ type, id }) => ({ entity_type: type, id, ref: refs.get(id) ?? null, how: 'for' as const })),
    records_total: records.length,
    unknown_refs: [],
    unknown_refs_total: 0,
    unmapped: [],
    unmapped_total: 0,
  }
}

const noTests = {
  tests: 0,
  passed: 0,
  failed: 0,
  skipped: 0,
  flaky: false,
  cases: [],
  matched: [],
  failure: null,
  file: null,
  name: null,
} as const

const snippetOfRun = ({ command, exit_code, signal }: ProofRunsTable): string =>
  `${command.slice(0, 400)}: exit code ${exit_code}${signal === null ? '' : ` (${signal})`}`.slice(0, 500)

/** submit_test_report: a report is read outside the event loop, then stored as a whole (evidence 2). */
import type { features } from '@specboard/contract'
import { reportLimits } from '@specboard/importers'
import type { Context } from '../../kernel/context.ts'
import { blocked, DomainError, refuse } from '../../kernel/errors.ts'
import { ExplicitAnswer, type Input, multiStep, type Steps } from '../../kernel/implement.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import { readSpecs } from '../../planning/specs/store.ts'
import type { Db } from '../../schema/database.ts'
import { insertRow, insertRowsOf } from '../../schema/rows.ts'
import type { ProofRunsTable, RepositoriesTable } from '../../schema/tables.ts'
import { keysOf } from '../git/store.ts'
import { type CoveredRecords, recordsNamed } from './board-names.ts'
import { type RunContext, repositoryOfRun, runContextOf } from './ci-run.ts'
import { applyEffects, effectsOf, specsByPieces } from './effects.ts'
import { caseColumns, type NotTaken, type ReadingRequest, type ReportSummary } from './reading/gathered.ts'
import { gatherInThread } from './reading/report-threads.ts'
import { runOfReport } from './runs.ts'
import { type ReportRow, removeSomeCases, reportWithIdentity, withMapping } from './store.ts'

type Submit = (typeof features.evidence)['submit_test_report']

/** The facts needed to read a report. */
interface ReportContext {
  readonly repository: RepositoriesTable | undefined
  readonly of: RunContext
  readonly targets: CoveredRecords
  readonly keys: readonly string[]
  readonly specs: ReadingRequest['specs']
}

/** Cases removed in one unit of work. */
const removedAtOnce = 500

export const submitTestReport = multiStep<Submit>(async (input, steps) => {
  const { params, query } = input
  const { environment } = steps
  const reportId = environment.newId()
  const prepared = await steps.read(ctx => prepare(ctx, input))
  const slot = await steps.read(async ctx => ({ agentId: ctx.caller.id, boardId: params.board_id }))
  return environment.reports.run(slot, async () => {
    const gathered = await gatheredFrom(input, prepared, reportId)
    refuse(prepared.targets.refusal)
    if (query.preview) {
      const specs = [...new Set(gathered.scenarios.map(({ spec_id }) => spec_id))]
      const read = await specsByPieces(piece => steps.read(({ db }) => readSpecs(db, params.board_id, piece)))(specs)
      return steps.read(async ctx => {
        const row = rowOf(madeBy(ctx), { input, prepared, gathered, reportId })
        const { mapping } = await effectsOf(ctx, row, gathered, prepared.targets.records, read)
        return new ExplicitAnswer(
          { ...withMapping(ctx, { ...row, mapping: toJson(mapping) }), id: null },
          { status: 200 },
        )
      })
    }
    const identity = identityOf(input, prepared, gathered)
    const stored = await steps.read(ctx => storedAs(ctx, params.board_id, identity, gathered))
    if (stored !== undefined) return new ExplicitAnswer(stored, { status: 200 })
    return store(steps, { input, prepared, gathered, reportId })
  })
})

async function prepare(ctx: Context, { query }: Input<Submit>): Promise<ReportContext> {
  const { db, boardId } = ctx
  const repository = await repositoryOfRun(ctx, query.repository_id)
  const of = await runContextOf(ctx, query, query.proof_run_id !== undefined)
  const run = query.proof_run_id === undefined ? undefined : await runOfReport(ctx, query.proof_run_id)
  const targets = withTargets(await recordsNamed(db, boardId, query.for ?? []), run)
  const [keys, specs] = await Promise.all([keysOf(db, boardId), specsWithScenarios(db, boardId)])
  return { repository, of, targets, keys: [...keys], specs }
}

/** The records that a report counts for, including those that its run was started for. */
function withTargets({ records, refusal }: CoveredRecords, run: ProofRunsTable | undefined): CoveredRecords {
  if (run === undefined) return { records, refusal }
  const { records: own, scenarios } = parseJson(run.meant)
  const all = [...records, ...own, ...scenarios.map(({ spec_id }) => ({ type: 'spec' as const, id: spec_id }))]
  return { records: [...new Map(all.map(record => [record.id, record])).values()], refusal }
}

/** The specs of a board that have scenarios, with the scenarios as they are stored. */
async function specsWithScenarios(db: Db, board: string): Promise<ReadingRequest['specs']> {
  const rows = await db
    .selectFrom('specs')
    .select(['id', 'number', 'test_scenarios'])
    .where('board_id', '=', board)
    .where('test_scenarios', 'is not', null)
    .execute()
  return rows.map(({ id, number, test_scenarios }) => ({ id, number: number!, scenarios: test_scenarios ?? '[]' }))
}

async function gatheredFrom(
  { params, query, body }: Input<Submit>,
  { keys, specs }: ReportContext,
  reportId: string,
): Promise<ReportSummary> {
  const answer = await gatherInThread({
    reportId,
    boardId: params.board_id,
    format: query.format,
    files: body.files.map(({ name, text, content_base64 }) => ({
      name,
      bytes: text === undefined ? Buffer.from(content_base64 ?? '', 'base64') : Buffer.from(text),
    })),
    keys,
    specs,
  })
  if (!answer.ok) throw notTaken(answer.refused)
  return answer.gathered
}

/** What the caller should do for each reason. */
const advice: Readonly<Record<Exclude<NotTaken, { maxBytes: number }>['reason'], string>> = {
  malformed: 'Send it as the runner wrote it.',
  doctype: 'Write the report without a document type.',
  too_deep: 'Write it with fewer levels.',
  too_many: 'Divide it into several reports with names of their own.',
  ratio: 'Send it unpacked.',
  cut: 'Half a report proves nothing: send the whole file.',
  unknown_format: 'Send JUnit XML, TAP, CTRF or go test -json, or set format.',
}

function notTaken(refused: NotTaken): DomainError {
  if ('maxBytes' in refused) {
    const subject = refused.maxBytes === reportLimits.unpackedBytes ? 'A report has unpacked' : 'A text of a report has'
    return new DomainError('PAYLOAD_TOO_LARGE', `${subject} at most ${refused.maxBytes} bytes.`, {
      max_bytes: refused.maxBytes,
    })
  }
  const { entry, line, reason, message } = refused
  const place = line === null ? '' : `, line ${line}`
  return new DomainError('VALIDATION_ERROR', `${entry}${place}: ${message}. ${advice[reason]}`, {
    field: 'files',
    entry,
    line,
    reason,
  })
}

/**
 * The identity of a report on its board; without a CI run it includes its content and its proof run, because a repeated
 * command reports the same (evidence 2, rule 1).
 */
const identityOf = (
  { query }: Input<Submit>,
  { repository, of }: ReportContext,
  { content_sha256 }: ReportSummary,
): string =>
  JSON.stringify([
    repository?.id ?? null,
    of.commit,
    of.ci_run,
    of.attempt,
    query.name,
    ...(of.ci_run === null ? [content_sha256] : []),
    ...(of.ci_run === null && query.proof_run_id !== undefined ? [query.proof_run_id] : []),
  ])

/**
 * The stored report with an identity, if it has the same content.
 * @throws DomainError REPORT_EXISTS
 */
async function storedAs(ctx: Context, board: string, identity: string, { content_sha256 }: ReportSummary) {
  const found = await reportWithIdentity(ctx.db, board, identity)
  if (found === undefined) return undefined
  if (found.content_sha256 === content_sha256) return withMapping(ctx, found)
  throw blocked(
    'REPORT_EXISTS',
    `Another report is stored for this run under the name "${found.name}" and attempt ${found.attempt}. Give each job its own name, and each retry its own attempt.`,
    { report_id: found.id },
  )
}

/** The columns that say who sent a report. */
function madeBy(ctx: Context) {
  const { caller } = ctx
  return {
    actor_type: caller.kind,
    submitted_by: caller.id,
    submitted_by_name: caller.name,
    created_at: ctx.now(),
  }
}

/** Everything needed to store a report. */
interface ReportToStore {
  readonly input: Input<Submit>
  readonly prepared: ReportContext
  readonly gathered: ReportSummary
  readonly reportId: string
}

function rowOf(maker: ReturnType<typeof madeBy>, { input, prepared, gathered, reportId }: ReportToStore): ReportRow {
  const { params, query } = input
  const { repository, of } = prepared
  return {
    id: reportId,
    board_id: params.board_id,
    repository_id: repository?.id ?? null,
    repository: repository?.name ?? null,
    name: query.name,
    commit_sha: of.commit,
    tested_commit: of.tested_commit,
    tree: query.tree ?? null,
    branch: of.branch,
    pull_request: of.pull_request,
    ci_run: of.ci_run,
    attempt: of.attempt,
    ...of.judged,
    seen_by: of.seen_by,
    run_url: query.run_url ?? null,
    identity: identityOf(input, prepared, gathered),
    ...maker,
    proof_run_id: query.proof_run_id ?? null,
    files: toJson([...gathered.files]),
    ...gathered.totals,
    outcome: gathered.outcome,
    content_sha256: gathered.content_sha256,
    mapping: null,
    cases_kept: 1,
    origin: null,
  }
}

/** Stores the cases in pieces, then the report that makes them visible. */
async function store(steps: Steps, read: ReportToStore) {
  const { gathered, input } = read
  const { board_id } = input.params
  try {
    for (const rows of gathered.rows)
      await steps.writePiece(({ db }) => insertRowsOf(db, 'test_cases', caseColumns, rows))
    return await steps.finish(async ctx => {
      const same = await storedAs(ctx, board_id, identityOf(input, read.prepared, gathered), gathered)
      if (same !== undefined) throw new SentTwice(same)
      return written(ctx, read)
    })
  } catch (error) {
    await discard(steps, read)
    if (error instanceof SentTwice) return new ExplicitAnswer(error.stored, { status: 200 })
    throw error
  }
}

/** The same report was sent twice at once: the other one is stored. */
class SentTwice extends Error {
  readonly stored: ReturnType<typeof withMapping>

  constructor(stored: ReturnType<typeof withMapping>) {
    super('The same report is stored already.')
    this.stored = stored
  }
}

async function discard(steps: Steps, { reportId, input }: ReportToStore): Promise<void> {
  for (let removed = removedAtOnce; removed === removedAtOnce; )
    removed = await steps.compensate(db => removeSomeCases(db, reportId, removedAtOnce), input.params.board_id)
}

async function written(ctx: Context, read: ReportToStore) {
  const { proof_run_id } = read.input.query
  if (proof_run_id !== undefined) await runOfReport(ctx, proof_run_id)
  const report = rowOf(madeBy(ctx), read)
  const effects = await effectsOf(ctx, report, read.gathered, read.prepared.targets.records)
  const whole = { ...report, mapping: toJson(effects.mapping) }
  const { repository: _, ...row } = whole
  await insertRow(ctx.db, 'test_reports', row)
  const { cases, executed, passed, failed, skipped, flaky } = row
  await ctx.record({
    boardId: row.board_id,
    entity: { type: 'board', id: row.board_id },
    activity: {
      action: 'report_submitted',
      details: {
        report_id: row.id,
        name: row.name,
        tier: row.tier,
        outcome: row.outcome,
        counts: { cases, executed, passed, failed, skipped, flaky },
        commit: row.commit_sha,
      },
    },
  })
  await applyEffects(ctx, whole, effects)
  return withMapping(ctx, whole)
}

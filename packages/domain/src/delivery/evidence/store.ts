/** Test reports as they are stored (evidence 2). */
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { parseJson, parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { TestCasesTable, TestReportsTable } from '../../schema/tables.ts'

/** A report with the name of its repository. */
export interface ReportRow extends TestReportsTable {
  readonly repository: string | null
}

const byId = hot<{ id: string }, ReportRow>(
  (_, param) => sql<ReportRow>`select t.*, r.name as repository from test_reports t
    left join repositories r on r.id = t.repository_id and ${sameBoard('r', 't')} where t.id = ${param('id')}`,
)

const byIdentity = hot<{ board: string; identity: string }, ReportRow>(
  (_, param) => sql<ReportRow>`select t.*, r.name as repository from test_reports t
    left join repositories r on r.id = t.repository_id and ${sameBoard('r', 't')}
    where t.board_id = ${param('board')} and t.identity = ${param('identity')}`,
)

/**
 * A report by id.
 * @throws DomainError NOT_FOUND
 */
export async function readReportRow(db: Db, id: string): Promise<ReportRow> {
  const [row] = await byId(db, { id })
  if (row === undefined) throw notFound('test_report', id)
  return row
}

/** The report of a board with an identity; undefined if there is none. */
export const reportWithIdentity = async (db: Db, board: string, identity: string): Promise<ReportRow | undefined> =>
  (await byIdentity(db, { board, identity }))[0]

/** A report as callers see it, except for its id, which a preview lacks. */
export const shownReport = (row: ReportRow) => ({
  id: row.id,
  board_id: row.board_id,
  repository_id: row.repository_id,
  repository: row.repository,
  name: row.name,
  commit: row.commit_sha,
  tested_commit: row.tested_commit,
  tree: row.tree,
  branch: row.branch,
  pull_request: row.pull_request,
  ci_run: row.ci_run,
  attempt: row.attempt,
  run_url: row.run_url,
  tier: row.tier,
  tier_reason: row.tier_reason,
  actor_type: row.actor_type,
  submitted_by: row.submitted_by,
  submitted_by_name: row.submitted_by_name,
  proof_run_id: row.proof_run_id,
  files: [...parseJson(row.files)],
  cases: row.cases,
  executed: row.executed,
  passed: row.passed,
  failed: row.failed,
  skipped: row.skipped,
  flaky: row.flaky,
  outcome: row.outcome,
  content_sha256: row.content_sha256,
  cases_kept: row.cases_kept === 1,
  ...(row.origin !== null && { origin: parseJson(row.origin) }),
  created_at: row.created_at,
})

/** A report with its mapping, without the parts that the caller may not read (evidence 4, rule 8). */
export function withMapping({ access }: Pick<Context, 'access'>, row: ReportRow) {
  const mapping = parseNullable(row.mapping)
  if (mapping === null) return shownReport(row)
  const readsSpecs = access.allows('SPECS_READ')
  const readsCards = access.allows('CARDS_READ')
  const records = mapping.records.filter(({ entity_type }) => (entity_type === 'spec' ? readsSpecs : readsCards))
  const hiddenCount = mapping.records.length - records.length
  return {
    ...shownReport(row),
    mapping: {
      ...mapping,
      ...(!readsSpecs && { scenarios: [], scenarios_total: 0, unknown_refs: [], unknown_refs_total: 0 }),
      records,
      records_total: mapping.records_total - hiddenCount,
    },
  }
}

/** A case as callers see it. */
export const shownCase = (row: TestCasesTable) => ({
  address: row.address,
  suite: row.suite,
  class: row.class,
  name: row.name,
  file: row.file,
  status: row.status,
  flaky: row.is_flaky === 1,
  duration_ms: row.duration_ms,
  message: row.message,
  refs: [...parseJson(row.refs)],
})

/** Removes the cases of a report that was not stored, in pieces. */
export async function removeSomeCases(db: Db, report: string, max: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('test_cases')
    .where('report_id', '=', report)
    .where('position', 'in', some =>
      some.selectFrom('test_cases').select('position').where('report_id', '=', report).limit(max),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

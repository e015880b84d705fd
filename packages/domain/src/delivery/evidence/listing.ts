/** Lists of test reports and of their cases (evidence 2). */
import type { features, InputOf } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import type { TestCasesTable } from '../../schema/tables.ts'
import { isNamedBy, readyPattern } from './reading/matching.ts'
import { type ReportRow, shownCase, shownReport } from './store.ts'

type Evidence = typeof features.evidence
type Reports = InputOf<Evidence['list_test_reports']>['query']
type Cases = InputOf<Evidence['list_test_cases']>['query']
type Page = Pick<Cases, 'limit' | 'offset'>

const speaksFor = (id: string) =>
  sql`t.id in (select s.report_id from report_records s where s.entity_id = ${id} and ${sameBoard('s', 't')})`

const testsScenariosOf = (spec: string) =>
  sql`t.id in (select s.report_id from report_scenarios s where s.spec_id = ${spec} and ${sameBoard('s', 't')})`

function reportConditions(board: string, query: Reports): Expression<unknown>[] {
  const { commit, branch, repository_id, name, ci_run, tier, outcome, card_id, spec_id, since } = query
  return [
    sql`t.board_id = ${board}`,
    // A range, so that an index is used: no hexadecimal digit sorts after g.
    ...(commit === undefined ? [] : [sql`t.commit_sha >= ${commit} and t.commit_sha < ${`${commit}g`}`]),
    ...(branch === undefined ? [] : [sql`t.branch = ${branch}`]),
    ...(repository_id === undefined ? [] : [sql`t.repository_id = ${repository_id}`]),
    ...(name === undefined ? [] : [sql`t.name = ${name}`]),
    ...(ci_run === undefined ? [] : [sql`t.ci_run = ${ci_run}`]),
    ...(tier === undefined ? [] : [dialect.inList(sql.ref('t.tier'), sql.val(toJson(tier)))]),
    ...(outcome === undefined ? [] : [dialect.inList(sql.ref('t.outcome'), sql.val(toJson(outcome)))]),
    ...(card_id === undefined ? [] : [speaksFor(card_id)]),
    ...(spec_id === undefined ? [] : [sql`(${speaksFor(spec_id)} or ${testsScenariosOf(spec_id)})`]),
    ...(since === undefined ? [] : [sql`t.created_at >= ${since}`]),
  ]
}

/** A page of the reports of a board, newest first. */
export async function listedReports({ db, boardId }: Context, query: Reports) {
  const where = sql.join(reportConditions(boardId, query), sql` and `)
  const { rows } = await sql<ReportRow>`select t.*, r.name as repository from test_reports t
    left join repositories r on r.id = t.repository_id and ${sameBoard('r', 't')} where ${where}
    order by t.created_at desc, t.id desc limit ${query.limit} offset ${query.offset}`.execute(db)
  const items = rows.map(shownReport)
  if (query.offset === 0 && rows.length < query.limit) return { items, total: rows.length }
  const { rows: counted } = await sql<{
    total: number
  }>`select count(*) as total from test_reports t where ${where}`.execute(db)
  return { items, total: Number(counted[0]!.total) }
}

const condition = ({ id, board_id }: OnBoard, { status, q, flaky }: Pick<Cases, 'status' | 'q' | 'flaky'>) =>
  sql.join(
    [
      sql`c.report_id = ${id} and ${onBoard('c', board_id)}`,
      ...(status === undefined ? [] : [dialect.inList(sql.ref('c.status'), sql.val(toJson(status)))]),
      ...(q === undefined ? [] : [sql`lower(c.address) like ${`%${escaped(q.toLowerCase())}%`} escape '!'`]),
      ...(flaky === undefined ? [] : [sql`c.is_flaky = ${flaky ? 1 : 0}`]),
    ],
    sql` and `,
  )

/** A page of the cases of a report: failed ones first, then in the order of its files. */
export async function listedCases({ db, target }: Context, query: Cases) {
  const { pattern, limit, offset } = query
  const where = condition(target, query)
  if (pattern !== undefined) return casesNamed(db, where, pattern, query)
  const { rows } = await sql<TestCasesTable>`select c.* from test_cases c where ${where}
    order by c.rank, c.position limit ${limit} offset ${offset}`.execute(db)
  const items = rows.map(shownCase)
  if (offset === 0 && rows.length < limit) return { items, total: rows.length }
  const { rows: counted } = await sql<{
    total: number
  }>`select count(*) as total from test_cases c where ${where}`.execute(db)
  return { items, total: Number(counted[0]!.total) }
}

/** The number of cases compared with a pattern in one go, in a few milliseconds. */
const comparedAtOnce = 1_000

/** The cases that a pattern names (evidence 3, rule 2): the database narrows them by the longest text in it. */
async function casesNamed(db: Db, where: RawBuilder<unknown>, text: string, { limit, offset }: Page) {
  const pattern = readyPattern(text)
  const isNamed = ({ address }: TestCasesTable) => isNamedBy(pattern, address)
  const items: ReturnType<typeof shownCase>[] = []
  let total = 0
  let after = { rank: -1, position: -1 }
  for (;;) {
    const { rows } = await sql<TestCasesTable>`select c.* from test_cases c
      where ${where} and c.address like ${`%${escaped(pattern.needed)}%`} escape '!'
        and (c.rank, c.position) > (${after.rank}, ${after.position})
      order by c.rank, c.position limit ${comparedAtOnce}`.execute(db)
    for (const row of rows.filter(isNamed)) {
      if (total >= offset && items.length < limit) items.push(shownCase(row))
      total++
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < comparedAtOnce) return { items, total }
    after = { rank: Number(last.rank), position: Number(last.position) }
    await yieldToEventLoop()
  }
}

/** A text with its wildcards escaped. */
const escaped = (text: string): string => text.replaceAll(/[!%_]/g, mark => `!${mark}`)

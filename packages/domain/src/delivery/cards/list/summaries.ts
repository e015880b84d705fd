import type { CardSummary } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../../kernel/context.ts'
import { parseJson, parseNullable } from '../../../lib/json.ts'
import { signsOfCards } from '../../../planning/proof/proofs.ts'
import { openQuestions, readableCount } from '../../../planning/questions/open.ts'
import { type ChangeState, changeState } from '../../../planning/summaries/change-states.ts'
import { type ClaimRow, claimOf, withClaim } from '../../../planning/summaries/claims.ts'
import { hot } from '../../../schema/hot.ts'
import { type Referred, refOf } from '../../../schema/refs.ts'
import type { CardsTable } from '../../../schema/tables.ts'
import { checksOfCards } from '../../git/card-changes.ts'
import { awaitedByCard } from './filters.ts'

/** A card in a list, with the title of its spec; whether it is ready depends on the purpose of the list. */
export type Summary = Omit<z.output<typeof CardSummary>, 'ready'> & { readonly spec_title: string | null }

type SummaryRow = Pick<
  CardsTable,
  | 'id'
  | 'title'
  | 'status'
  | 'priority'
  | 'card_type'
  | 'labels'
  | 'paths'
  | 'due_date'
  | 'position'
  | 'assignee_id'
  | 'spec_id'
  | 'sprint_id'
  | 'severity'
  | 'updated_at'
  | 'moved_at'
  | 'test_scenario_ids'
  | 'validation_stay'
> &
  Referred & {
    spec_ref: string | null
    spec_title: string | null
    assignee_name: string | null
    claim: Json<ClaimRow> | null
    blocked_by: number
    open_questions: number
    comments_count: number
    change_state: ChangeState
  }

const byIds = hot<{ ids: string; now: string }, SummaryRow>(
  (_, param) =>
    sql<SummaryRow>`select c.id, ${refOf('c')} as ref, c.title, c.status, c.priority, c.card_type, c.labels, c.paths, c.due_date, c.position,
        c.assignee_id, c.spec_id, c.sprint_id, c.severity, c.updated_at, c.moved_at, c.test_scenario_ids, c.validation_stay,
        (select name from agents where agents.id = c.assignee_id) as assignee_name,
        (select ${refOf('specs')} from specs where specs.id = c.spec_id) as spec_ref,
        (select title from specs where specs.id = c.spec_id) as spec_title,
        ${withClaim(sql<string>`c.id`, param('now'))} as claim,
        (select count(*) ${awaitedByCard}) as blocked_by,
        ${openQuestions('c.id')} as open_questions,
        (select count(*) from comments where comments.card_id = c.id) as comments_count,
        ${changeState} as change_state
      from cards c where ${dialect.inList(sql.ref('c.id'), sql<string>`${param('ids')}`)}`,
)

/** The status of each scenario of some specs. */
const resultsOf = hot<{ specs: string }, { spec_id: string; id: string; status: string }>(
  (_, param) => sql<{ spec_id: string; id: string; status: string }>`select specs.id as spec_id,
      ${dialect.jsonText(sql.ref('scenario.value'), 'id')} as id,
      ${dialect.jsonText(sql.ref('scenario.value'), 'status')} as status
    from specs, ${dialect.jsonElements(sql.ref('specs.test_scenarios'))} as scenario
    where ${dialect.inList(sql.ref('specs.id'), sql<string>`${param('specs')}`)}`,
)

const resultKey = (specId: string | null, scenarioId: string): string => `${specId} ${scenarioId}`

/** The status of the scenarios of the cards' specs; each spec is read once, however many cards test it. */
async function readResults(ctx: Context, rows: readonly SummaryRow[]): Promise<ReadonlyMap<string, string>> {
  const specs = new Set(rows.flatMap(row => (row.test_scenario_ids === '[]' ? [] : (row.spec_id ?? []))))
  if (specs.size === 0) return new Map()
  const results = await resultsOf(ctx.db, { specs: JSON.stringify([...specs]) })
  return new Map(results.map(({ spec_id, id, status }) => [resultKey(spec_id, id), status]))
}

/** The existing cards with these ids, in the given order. Counts of parts that the caller may not read are 0. */
export async function readSummaries(ctx: Context, ids: readonly string[]): Promise<Summary[]> {
  const rows = await byIds(ctx.db, { ids: JSON.stringify(ids), now: ctx.now() })
  const byId = new Map(rows.map(row => [row.id, row]))
  const readsComments = ctx.access.allows('COMMENTS_READ')
  const results = ctx.access.allows('SPECS_READ') ? await readResults(ctx, rows) : new Map<string, string>()
  const readsChanges = ctx.access.allows('CHANGES_READ')
  const changed = readsChanges ? rows.filter(({ change_state }) => change_state !== 'none').map(({ id }) => id) : []
  const checks = await checksOfCards(ctx.db, changed)
  const found = ids.flatMap(id => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ ...row, test_scenario_ids: parseJson(row.test_scenario_ids) }]
  })
  const proofs = await signsOfCards(ctx.db, ctx.boardId, found)
  return found.map(({ test_scenario_ids, validation_stay: _, ...row }) => {
    const outcomes = test_scenario_ids.map(scenario => results.get(resultKey(row.spec_id, scenario)))
    return {
      ...row,
      status: row.status as Summary['status'],
      priority: row.priority as Summary['priority'],
      card_type: row.card_type as Summary['card_type'],
      severity: row.severity as Summary['severity'],
      labels: parseNullable(row.labels) ?? [],
      paths: parseJson(row.paths),
      claim: claimOf(row.claim),
      open_questions: readableCount(row, ctx.access),
      comments_count: readsComments ? row.comments_count : 0,
      scenarios: {
        total: outcomes.length,
        passed: outcomes.filter(outcome => outcome === 'passed').length,
        failed: outcomes.filter(outcome => outcome === 'failed').length,
      },
      change_state: readsChanges ? row.change_state : null,
      checks_state: readsChanges ? (checks.get(row.id) ?? 'none') : null,
      proof: proofs.get(row.id) ?? null,
    }
  })
}

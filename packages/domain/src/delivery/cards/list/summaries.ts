import type { CardSummary } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../../kernel/context.ts'
import { parseJson, parseNullable } from '../../../lib/json.ts'
import { type ListedSpecs, listedSpecs } from '../../../planning/proof/listed-specs.ts'
import { type CardOfSpec, signsOfCards } from '../../../planning/proof/proofs.ts'
import { scenariosById } from '../../../planning/proof/proven-specs.ts'
import { openQuestions, readableCount } from '../../../planning/questions/open.ts'
import { type ChangeState, changeState } from '../../../planning/summaries/change-states.ts'
import { type ClaimRow, claimOf, withClaim } from '../../../planning/summaries/claims.ts'
import { hot } from '../../../schema/hot.ts'
import { refOf, type WithReference } from '../../../schema/refs.ts'
import { onBoard, sameBoard } from '../../../schema/same-board.ts'
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
  | 'created_at'
  | 'updated_at'
  | 'moved_at'
  | 'test_scenario_ids'
  | 'validation_stay'
> &
  WithReference & {
    spec_ref: string | null
    spec_title: string | null
    assignee_name: string | null
    claim: Json<ClaimRow> | null
    blocked_by: number
    open_questions: number
    comments_count: number
    change_state: ChangeState
  }

const byIds = hot<{ board: string; ids: string; now: string }, SummaryRow>(
  (_, param) =>
    sql<SummaryRow>`select c.id, ${refOf('c')} as ref, c.title, c.status, c.priority, c.card_type, c.labels, c.paths, c.due_date, c.position,
        c.assignee_id, c.spec_id, c.sprint_id, c.severity, c.created_at, c.updated_at, c.moved_at, c.test_scenario_ids,
        c.validation_stay,
        (select name from agents where agents.id = c.assignee_id) as assignee_name,
        (select ${refOf('specs')} from specs where specs.id = c.spec_id and ${sameBoard('specs', 'c')}) as spec_ref,
        (select title from specs where specs.id = c.spec_id and ${sameBoard('specs', 'c')}) as spec_title,
        ${withClaim('c', param('now'))} as claim,
        (select count(*) ${awaitedByCard}) as blocked_by,
        ${openQuestions('c')} as open_questions,
        (select count(*) from comments where comments.card_id = c.id and ${sameBoard('comments', 'c')}) as comments_count,
        ${changeState} as change_state
      from cards c where ${dialect.inList(sql.ref('c.id'), sql<string>`${param('ids')}`)} and ${onBoard('c', param('board'))}`,
)

type Specs = ListedSpecs['specs']

/** The specs whose scenarios some cards test, each read once however many cards test it. */
const testedSpecs = (ctx: Context, rows: readonly SummaryRow[]): Promise<ListedSpecs> =>
  listedSpecs(
    ctx.db,
    ctx.boardId,
    rows.flatMap(row => (row.test_scenario_ids === '[]' ? [] : (row.spec_id ?? []))),
    'all',
  )

/** The number of scenarios of a card: in total, passed and failed. */
function scenarioCounts(specs: Specs, { spec_id, test_scenario_ids }: CardOfSpec): Summary['scenarios'] {
  const counts = { total: test_scenario_ids.length, passed: 0, failed: 0 }
  const spec = spec_id === null ? undefined : specs.get(spec_id)
  if (counts.total === 0 || spec === undefined) return counts
  const scenarios = scenariosById(spec)
  for (const id of test_scenario_ids) {
    const status = scenarios.get(id)?.status
    if (status === 'passed') counts.passed++
    if (status === 'failed') counts.failed++
  }
  return counts
}

/** The existing cards of the board with these ids, in the given order. Counts of parts that the caller may not read are 0. */
export async function readSummaries(ctx: Context, ids: readonly string[]): Promise<Summary[]> {
  const rows = await byIds(ctx.db, { board: ctx.boardId, ids: JSON.stringify(ids), now: ctx.now() })
  const byId = new Map(rows.map(row => [row.id, row]))
  const readsComments = ctx.access.allows('COMMENTS_READ')
  const tested = await testedSpecs(ctx, rows)
  const shownSpecs: Specs = ctx.access.allows('SPECS_READ') ? tested.specs : new Map()
  const readsChanges = ctx.access.allows('CHANGES_READ')
  const changed = readsChanges ? rows.filter(({ change_state }) => change_state !== 'none').map(({ id }) => id) : []
  const checks = await checksOfCards(ctx.db, ctx.boardId, changed)
  const found = ids.flatMap(id => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ ...row, test_scenario_ids: parseJson(row.test_scenario_ids) }]
  })
  const proofs = await signsOfCards(ctx.db, ctx.boardId, found, tested)
  return found.map(card => {
    const { test_scenario_ids: _, validation_stay: __, ...row } = card
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
      scenarios: scenarioCounts(shownSpecs, card),
      change_state: readsChanges ? row.change_state : null,
      checks_state: readsChanges ? (checks.get(row.id) ?? 'none') : null,
      proof: proofs.get(row.id) ?? null,
    }
  })
}

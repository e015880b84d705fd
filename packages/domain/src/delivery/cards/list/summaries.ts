import type { CardSummary } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../../kernel/context.ts'
import { parseNullable } from '../../../lib/json.ts'
import { type ClaimRow, claimOf, withClaim } from '../../../planning/summaries/claims.ts'
import { hot } from '../../../schema/hot.ts'
import { type Referred, refOf } from '../../../schema/refs.ts'
import type { CardsTable } from '../../../schema/tables.ts'
import { awaitedByCard } from './filters.ts'

/** A card in a list, with the title of its spec. */
export type Summary = z.output<typeof CardSummary> & { readonly spec_title: string | null }

type SummaryRow = Pick<
  CardsTable,
  | 'id'
  | 'title'
  | 'status'
  | 'priority'
  | 'card_type'
  | 'labels'
  | 'due_date'
  | 'position'
  | 'assignee_id'
  | 'spec_id'
  | 'sprint_id'
  | 'severity'
  | 'updated_at'
> &
  Referred & {
    spec_ref: string | null
    spec_title: string | null
    claim: Json<ClaimRow> | null
    blocked_by: number
    open_questions: number
    comments_count: number
  }

const byIds = hot<{ ids: string; now: string }, SummaryRow>(
  (_, param) =>
    sql<SummaryRow>`select c.id, ${refOf('c')} as ref, c.title, c.status, c.priority, c.card_type, c.labels, c.due_date, c.position,
        c.assignee_id, c.spec_id, c.sprint_id, c.severity, c.updated_at,
        (select ${refOf('specs')} from specs where specs.id = c.spec_id) as spec_ref,
        (select title from specs where specs.id = c.spec_id) as spec_title,
        ${withClaim(sql<string>`c.id`, param('now'))} as claim,
        (select count(*) ${awaitedByCard}) as blocked_by,
        (select count(*) from questions q where q.owner_id = c.id and q.answered_at is null) as open_questions,
        (select count(*) from comments where comments.card_id = c.id) as comments_count
      from cards c where ${dialect.inList(sql.ref('c.id'), sql<string>`${param('ids')}`)}`,
)

/** The cards with these ids, in their order. Counts of parts that the caller may not read are 0. */
export async function readSummaries(ctx: Context, ids: readonly string[]): Promise<Summary[]> {
  const rows = await byIds(ctx.db, { ids: JSON.stringify(ids), now: ctx.now() })
  const byId = new Map(rows.map(row => [row.id, row]))
  const readsQuestions = ctx.access.allows('QA_READ')
  const readsComments = ctx.access.allows('COMMENTS_READ')
  return ids.map(id => {
    const row = byId.get(id)!
    return {
      ...row,
      status: row.status as Summary['status'],
      priority: row.priority as Summary['priority'],
      card_type: row.card_type as Summary['card_type'],
      severity: row.severity as Summary['severity'],
      labels: parseNullable(row.labels) ?? [],
      claim: claimOf(row.claim),
      open_questions: readsQuestions ? row.open_questions : 0,
      comments_count: readsComments ? row.comments_count : 0,
    }
  })
}

import type { Json } from '@specboard/storage'
import type { Context } from '../../kernel/context.ts'
import { type ClaimRecord, type ClaimRow, claimOf, withClaim } from '../../planning/summaries/claims.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { type CardRecord, type CardRow, recordOf } from '../card-record/record.ts'

/** A card in a column of its board (access 5). */
export type ColumnCard = Pick<
  CardRecord,
  | 'id'
  | 'ref'
  | 'board_id'
  | 'spec_id'
  | 'sprint_id'
  | 'title'
  | 'description'
  | 'status'
  | 'priority'
  | 'position'
  | 'assignee_id'
  | 'created_by'
  | 'created_at'
  | 'updated_at'
  | 'due_date'
  | 'test_scenario_ids'
  | 'conclusions'
  | 'card_type'
  | 'origin_task_id'
  | 'severity'
  | 'linked_test_task_ids'
  | 'archived'
> & { readonly labels: string[]; readonly claim: ClaimRecord | null }

const inColumns = hot<{ board: string; archived: 0 | 1; now: string }, CardRow & { claim: Json<ClaimRow> | null }>(
  (db, param) =>
    db
      .selectFrom('cards')
      .selectAll()
      .select(refOf('cards').as('ref'))
      .select(withClaim('cards', param('now')).as('claim'))
      .where('board_id', '=', param('board'))
      .where('archived', '<=', param('archived'))
      .orderBy('status')
      .orderBy('position')
      .orderBy('created_at')
      .orderBy('id'),
)

/** The cards of a board, column by column in their order; archived ones only on request. */
export async function readColumnCards(ctx: Context, includeArchived: boolean): Promise<ColumnCard[]> {
  const { access, boardId: board } = ctx
  if (!access.allows('CARDS_READ')) return []
  const showConclusions = access.allows('CARDS_READ_CONCLUSIONS')
  const rows = await inColumns(ctx.db, { board, archived: includeArchived ? 1 : 0, now: ctx.now() })
  return rows.map(row => columnCardOf(recordOf(row), showConclusions, claimOf(row.claim)))
}

const columnCardOf = (card: CardRecord, showConclusions: boolean, claim: ClaimRecord | null): ColumnCard => ({
  id: card.id,
  ref: card.ref,
  board_id: card.board_id,
  spec_id: card.spec_id,
  sprint_id: card.sprint_id,
  title: card.title,
  description: card.description,
  status: card.status,
  priority: card.priority,
  position: card.position,
  assignee_id: card.assignee_id,
  created_by: card.created_by,
  created_at: card.created_at,
  updated_at: card.updated_at,
  due_date: card.due_date,
  labels: card.labels ?? [],
  test_scenario_ids: card.test_scenario_ids,
  conclusions: showConclusions ? card.conclusions : [],
  card_type: card.card_type,
  origin_task_id: card.origin_task_id,
  severity: card.severity,
  linked_test_task_ids: card.linked_test_task_ids,
  archived: card.archived,
  claim,
})

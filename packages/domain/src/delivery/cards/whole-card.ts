import type { Card } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { type ExpressionBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Access } from '../../kernel/access/access.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { parseJson } from '../../lib/json.ts'
import { type DesignSummaryRow, designSummaryOf, withDesigns } from '../../planning/architecture/summaries.ts'
import { shownProofsOfCards } from '../../planning/proof/proofs.ts'
import { type NestedQuestion, withQuestions } from '../../planning/questions/store.ts'
import { type ClaimRow, claimOf, withClaim } from '../../planning/summaries/claims.ts'
import type { Flag } from '../../schema/columns.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { Schema } from '../../schema/tables.ts'
import { type AttachmentRecord, withAttachments } from '../attachments/store.ts'
import { type CardRecord, type CardRow, recordOf, type Trials } from '../card-record/record.ts'
import { type AttemptColumns, attemptsOf, withAttempts } from '../claims/attempts.ts'
import { type CommentRow, commentOf, withComments } from '../comments/store.ts'
import { changesOfCards, type LinkedChanges } from '../git/card-changes.ts'
import { cardQuestionOf } from '../qa/record.ts'
import { driftOf } from '../scopes/drift.ts'
import { overlapsOfCard, overlapsOfCards } from '../scopes/overlaps.ts'
import { unreadChanges } from './requirement-changes.ts'
import { type TaskValidationRow, taskValidations, withValidations } from './validations/store.ts'

/** A card with its nested parts, in responses (cards 2.1). */
export type WholeCard = z.input<typeof Card>

interface NestedColumns extends AttemptColumns {
  validations: Json<TaskValidationRow[]>
  dependencies: Json<{ depends_on_id: string }[]>
  architecture_designs: Json<DesignSummaryRow[]>
  attachments: Json<AttachmentRecord[]>
  qa_items: Json<NestedQuestion[]>
  comments: Json<CommentRow[]>
  claim: Json<ClaimRow> | null
}

const withDependencies = (eb: ExpressionBuilder<Schema, 'cards'>) =>
  dialect.jsonArrayFrom(
    eb
      .selectFrom('card_dependencies')
      .select('card_dependencies.depends_on_id')
      .whereRef('card_dependencies.card_id', '=', 'cards.id')
      .where(sameBoard('card_dependencies', 'cards'))
      .orderBy('card_dependencies.created_at')
      .orderBy('card_dependencies.id'),
  )

const withSeen = (eb: ExpressionBuilder<Schema, 'cards'>, agent: string) =>
  dialect.jsonArrayFrom(
    eb
      .selectFrom('seen_marks')
      .select('seen_marks.item_id')
      .whereRef('seen_marks.card_id', '=', 'cards.id')
      .where('seen_marks.agent_id', '=', agent),
  )

/** Whether an agent has lost its claim on a card by expiry, and has not been notified. */
const lostBy = (agent: string, now: string) =>
  sql<Flag>`case when exists (select 1 from claims k where k.card_id = cards.id and ${sameBoard('k', 'cards')} and k.agent_id = ${agent}
    and k.is_attempt = 1 and k.lost_seen = 0 and k.expires_at <= ${now}) then 1 else 0 end`

const withNested = (eb: ExpressionBuilder<Schema, 'cards'>, now: string) =>
  [
    refOf('cards').as('ref'),
    withValidations(eb).as('validations'),
    withDependencies(eb).as('dependencies'),
    withDesigns('cards').as('architecture_designs'),
    withAttachments(eb).as('attachments'),
    withQuestions('cards').as('qa_items'),
    withComments(eb).as('comments'),
    withClaim('cards', now).as('claim'),
    ...withAttempts(now, 'cards'),
  ] as const

const wholeById = hot<
  { id: string; agent: string; now: string },
  CardRow & NestedColumns & { seen: Json<{ item_id: string }[]>; lost: Flag }
>((db, param) =>
  db
    .selectFrom('cards')
    .selectAll()
    .select(eb => withNested(eb, param('now')))
    .select(eb => withSeen(eb, param('agent')).as('seen'))
    .select(lostBy(param('agent'), param('now')).as('lost'))
    .where('id', '=', param('id')),
)

const wholeOfBoard = hot<{ board: string; now: string }, CardRow & NestedColumns>((db, param) =>
  db
    .selectFrom('cards')
    .selectAll()
    .select(eb => withNested(eb, param('now')))
    .where('board_id', '=', param('board'))
    .orderBy('created_at')
    .orderBy('id'),
)

/** A card with the nested parts that the caller may read, in one query. */
export async function readWholeCard(ctx: Context, id: string): Promise<WholeCard> {
  const { card } = await readCardOf(ctx, id, '')
  return card
}

/** A card with the nested parts that the caller may read, and which of them an agent has seen before, in one query. */
export async function readCardOf(
  ctx: Context,
  id: string,
  agent: string,
): Promise<{ readonly card: WholeCard; readonly seen: ReadonlySet<string>; readonly lost: boolean }> {
  const [row] = await wholeById(ctx.db, { id, agent, now: ctx.now() })
  if (row === undefined) throw notFound('card', id)
  const marks = parseJson(row.seen)
  const card = wholeOf(row, ctx.access)
  const overlaps = await overlapsOfCard(ctx, card)
  const changes = await changesIn(ctx, row.board_id, [id])
  const proofs = await shownProofsOfCards(ctx.db, row.board_id, [provenCard(row)])
  return {
    card: { ...card, overlaps, ...changedIn(card, changes), proof: proofs.get(id) ?? null },
    seen: new Set(marks.map(mark => mark.item_id)),
    lost: row.lost === 1,
  }
}

/** All cards of a board, including archived ones, oldest first, each like `readWholeCard`, in one query. */
export async function readCardsOfBoard(ctx: Context, boardId: string): Promise<WholeCard[]> {
  if (!ctx.access.allows('CARDS_READ')) return []
  const rows = await wholeOfBoard(ctx.db, { board: boardId, now: ctx.now() })
  const overlapsOf = overlapsOfCards(ctx)
  const changes = await changesIn(
    ctx,
    boardId,
    rows.map(({ id }) => id),
  )
  const proofs = await shownProofsOfCards(ctx.db, boardId, rows.map(provenCard))
  const cards: WholeCard[] = []
  for (const row of rows) {
    const card = wholeOf(row, ctx.access)
    cards.push({
      ...card,
      overlaps: await overlapsOf(card),
      ...changedIn(card, changes),
      proof: proofs.get(row.id) ?? null,
    })
  }
  return cards
}

/** The fields of a card that its proof depends on. */
const provenCard = (row: CardRow & { ref: string }) => ({ ...row, test_scenario_ids: parseJson(row.test_scenario_ids) })

/** The changes linked to cards of a board, as far as the caller may read them. */
const changesIn = async (ctx: Context, board: string, cards: readonly string[]) =>
  ctx.access.allows('CHANGES_READ') ? changesOfCards(ctx.db, board, cards) : new Map<string, LinkedChanges>()

/** What changed for a card, and what of that lies outside of its scope. */
function changedIn({ id, paths }: Pick<WholeCard, 'id' | 'paths'>, changes: ReadonlyMap<string, LinkedChanges>) {
  const linked = changes.get(id)
  return { changes: linked?.shown ?? null, scope_drift: driftOf(paths, linked?.commits ?? []) }
}

/** The fields of a card that responses contain as stored. */
function answered<Fields extends Partial<CardRecord>>(record: Fields & Trials): Omit<Fields, keyof Trials> {
  const { reserved_for, reserved_until, failed_attempts, lost_attempts, attempt_limit, ...others } = record
  const { requirement_changes, changes_seen_at, ...fields } = others
  return fields as Omit<Fields, keyof Trials>
}

function wholeOf(
  row: CardRow & NestedColumns,
  access: Access,
): Omit<WholeCard, 'overlaps' | 'changes' | 'scope_drift' | 'proof'> {
  const card = recordOf(row)
  const { validation_stay, conclusions, knowledge_bases, ...record } = card
  const claim = claimOf(row.claim)
  const unread = unreadChanges(card)
  return {
    ...answered(record),
    type: record.card_type,
    knowledge_bases: access.allows('KNOWLEDGE_READ') ? knowledge_bases : [],
    conclusions: access.allows('CARDS_READ_CONCLUSIONS') ? conclusions : [],
    validations: access.allows('CARDS_READ_VALIDATIONS')
      ? taskValidations(parseJson(row.validations), validation_stay)
      : [],
    dependencies: parseJson(row.dependencies).map(link => link.depends_on_id),
    architecture_designs: access.allows('ARCHITECTURE_READ')
      ? parseJson(row.architecture_designs).map(designSummaryOf)
      : [],
    attachments: access.allows('ATTACHMENTS_READ') ? parseJson(row.attachments) : [],
    qa_items: access.allows('QA_READ') ? parseJson(row.qa_items).map(question => cardQuestionOf(row.id, question)) : [],
    comments: access.allows('COMMENTS_READ') ? parseJson(row.comments).map(commentOf) : [],
    claim,
    attempts: attemptsOf(card, row.lost_now === 1, row.max_attempts),
    ...(unread.length > 0 && { changed_since_claimed: unread }),
  }
}

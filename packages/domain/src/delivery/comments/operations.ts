import { features, type Permission } from '@specboard/contract'
import { refuseArchivedCard } from '../../kernel/archived.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { toJson } from '../../lib/json.ts'
import { updateRow } from '../../schema/rows.ts'
import type { CardRecord } from '../card-record/record.ts'
import { forgetMarks, markSeen } from '../card-record/seen-marks.ts'
import { readCard } from '../card-record/store.ts'
import { recordOnCard } from '../card-record/write.ts'
import { addComment } from './add.ts'
import { checkedChoices, checkedResponse } from './rules.ts'
import { type CommentRecord, commentById, commentOf } from './store.ts'

type Comments = typeof features.comments

const createComment: Implementation<Comments['create_comment']> = async ({ params, body }, ctx) => {
  const card = await readCard(ctx.db, params.card_id)
  const { content, comment_type, allow_free_text } = body
  const choices = checkedChoices(comment_type, body.choices)
  refuseArchivedCard(card)
  return addComment(ctx, card, { content, comment_type, choices, allow_free_text })
}

/** The addressed comment and its card. */
async function addressed(ctx: Context, id: string): Promise<{ comment: CommentRecord; card: CardRecord }> {
  const [row] = await commentById(ctx.db, { id })
  if (row === undefined) throw notFound('comment', id)
  return { comment: commentOf(row), card: await readCard(ctx.db, row.card_id) }
}

const refusedTo = (ctx: Context, permission: Permission, who: string): DomainError =>
  new DomainError('FORBIDDEN', `Only ${who} may do this to a comment.`, {
    permission,
    missing: [permission],
    denied_by: null,
    board_id: ctx.boardId,
    reason: 'not_author',
  })

const updateComment: Implementation<Comments['update_comment']> = async ({ params, body }, ctx) => {
  const { comment, card } = await addressed(ctx, params.comment_id)
  if (comment.author_id !== ctx.caller.id) throw refusedTo(ctx, 'COMMENTS_UPDATE', 'its author')
  refuseArchivedCard(card)
  const { content } = body
  if (content === comment.content) return comment
  const updated_at = ctx.now()
  await updateRow(ctx.db, 'comments', comment.id, { content, updated_at })
  await recordOnCard(ctx, card, 'comment_updated', { comment_id: comment.id })
  return { ...comment, content, updated_at }
}

/** Each responder has one response: a later one replaces it and goes to the end (cards 9). */
const respondToComment: Implementation<Comments['respond_to_comment']> = async ({ params, body }, ctx) => {
  const { comment, card } = await addressed(ctx, params.comment_id)
  const response = checkedResponse(comment, body)
  refuseArchivedCard(card)
  const { id, name } = ctx.caller
  const others = comment.responses.filter(other => other.responder_id !== id)
  const responses = [...others, { responder_id: id, responder_name: name, ...response }]
  const updated_at = ctx.now()
  await updateRow(ctx.db, 'comments', comment.id, { responses: toJson(responses), updated_at })
  await markSeen(ctx, card.id, [comment.id])
  const details = { comment_id: comment.id, selected: response.selected }
  await recordOnCard(ctx, card, 'comment_responded', details)
  return { ...comment, responses, updated_at }
}

const deleteComment: Implementation<Comments['delete_comment']> = async ({ params }, ctx) => {
  const { comment, card } = await addressed(ctx, params.comment_id)
  if (comment.author_id !== ctx.caller.id && ctx.access.way?.owner !== true)
    throw refusedTo(ctx, 'COMMENTS_DELETE', "its author or the board's owner")
  refuseArchivedCard(card)
  await ctx.db.deleteFrom('comments').where('id', '=', comment.id).execute()
  await forgetMarks(ctx.db, { item: comment.id })
  await recordOnCard(ctx, card, 'comment_deleted', { comment_id: comment.id })
}

export const commentOperations = implement(features.comments, {
  create_comment: createComment,
  update_comment: updateComment,
  respond_to_comment: respondToComment,
  delete_comment: deleteComment,
})

import type { Context } from '../../kernel/context.ts'
import { nextPartRef } from '../../kernel/parts.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { toJson } from '../../lib/json.ts'
import { insertRow } from '../../schema/rows.ts'
import type { CardRecord } from '../card-record/record.ts'
import { recordOnCard } from '../card-record/write.ts'
import type { CommentRecord } from './store.ts'

/** The content of a comment. */
export type CommentText = Pick<CommentRecord, 'content' | 'comment_type' | 'choices' | 'allow_free_text'>

/** Adds a comment of the caller to a card, with the entry `comment_added` (cards 9). */
export async function addComment(ctx: Context, card: CardRecord, text: CommentText): Promise<CommentRecord> {
  const { number, ref } = await nextPartRef(ctx.db, { id: card.id, board: card.board_id }, 'c')
  const comment: CommentRecord = {
    id: ctx.newId(),
    ref,
    card_id: card.id,
    ...text,
    author_id: ctx.caller.id,
    responses: [],
    created_at: ctx.now(),
    updated_at: ctx.now(),
  }
  const { ref: _, ...stored } = comment
  await insertRow(ctx.db, 'comments', {
    ...stored,
    number,
    board_id: card.board_id,
    choices: toJson(comment.choices),
    responses: toJson([]),
    allow_free_text: comment.allow_free_text ? 1 : 0,
  })
  const { id, comment_type, content } = comment
  await recordOnCard(ctx, card, 'comment_added', { comment_id: id, comment_type, content: excerpt(content) })
  return comment
}

import type { Comment } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type ExpressionBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { parseJson, parseNullable } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import { hot } from '../../schema/hot.ts'
import { commentRef } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { CommentsTable, Schema } from '../../schema/tables.ts'

/** A comment in responses (cards 2.4). */
export type CommentRecord = z.output<typeof Comment>

/** Whether a comment came with an import. */
const isImported = dialect.flag(
  sql`exists (select 1 from external_ids x where x.entity_id = comments.id and ${sameBoard('x', 'comments')})`,
)

/** The comments of a card, oldest first, as one JSON column. */
export const withComments = (eb: ExpressionBuilder<Schema, 'cards'>) =>
  dialect.jsonArrayFrom(
    eb
      .selectFrom('comments')
      .select([
        'comments.id',
        'comments.card_id',
        'comments.content',
        'comments.author_id',
        'comments.comment_type',
        'comments.choices',
        'comments.responses',
        'comments.allow_free_text',
        'comments.created_at',
        'comments.updated_at',
        isImported.as('imported'),
        commentRef.as('ref'),
      ])
      .whereRef('comments.card_id', '=', 'cards.id')
      .where(sameBoard('comments', 'cards'))
      .orderBy('comments.created_at')
      .orderBy('comments.id'),
  )

/** A comment as nested in its card. */
export type CommentRow = Omit<CommentsTable, 'board_id' | 'number'> & { readonly ref: string; readonly imported?: Flag }

/** A row as a comment. */
export const commentOf = (row: CommentRow): CommentRecord => ({
  id: row.id,
  ref: row.ref,
  card_id: row.card_id,
  content: row.content,
  author_id: row.author_id,
  comment_type: row.comment_type as CommentRecord['comment_type'],
  choices: parseNullable(row.choices),
  responses: parseJson(row.responses),
  allow_free_text: row.allow_free_text === 1,
  created_at: row.created_at,
  updated_at: row.updated_at,
  ...(row.imported === 1 && { imported: true as const }),
})

/** A comment by id. */
export const commentById = hot<{ id: string }, CommentsTable & { readonly ref: string; readonly imported: Flag }>(
  (db, param) =>
    db
      .selectFrom('comments')
      .selectAll()
      .select([isImported.as('imported'), commentRef.as('ref')])
      .where('id', '=', param('id')),
)

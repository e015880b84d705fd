/** Comments on cards (cards 9). */
import { z } from 'zod'
import { list } from '../limits.ts'
import { operation } from '../operation.ts'
import { always } from '../permission-rules.ts'
import { Id } from '../shared.ts'
import { Comment, CommentChoice, CommentType } from './card.ts'

const Content = z.string().min(1).max(100_000)

export const CommentCreate = z
  .object({
    content: Content,
    comment_type: CommentType.default('text'),
    choices: list(CommentChoice).nullable().exactOptional(),
    allow_free_text: z.boolean().default(false),
  })
  .meta({ id: 'CommentCreate' })

export const CommentUpdate = z.object({ content: Content }).meta({ id: 'CommentUpdate' })

export const CommentRespond = z
  .object({ selected: list(z.string()).default([]), free_text: z.string().nullable().default(null) })
  .meta({ id: 'CommentRespond' })

const keywords = ['discussion', 'remark', 'note']

const create_comment = operation({
  name: 'create_comment',
  method: 'POST',
  path: '/api/v1/comments/card/{card_id}',
  permission: 'COMMENTS_CREATE',
  title: 'Create comment',
  description: 'Comment on a card, or offer a choice.',
  aside: ['again', 'allow_free_text'],
  params: { card_id: Id },
  body: CommentCreate,
  response: Comment,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: {
    permissions: ({ body }) => [
      body.comment_type === 'text' ? 'COMMENTS_CREATE' : 'COMMENTS_CREATE_CHOICE',
      'CARDS_READ',
    ],
    guards: [
      { permission: 'COMMENTS_CREATE', part: 'a text' },
      { permission: 'COMMENTS_CREATE_CHOICE', part: 'a choice' },
      { permission: 'CARDS_READ' },
    ],
  },
  keywords: [...keywords, 'poll'],
})

const params = { comment_id: Id }

const update_comment = operation({
  name: 'update_comment',
  method: 'PATCH',
  path: '/api/v1/comments/{comment_id}',
  permission: 'COMMENTS_UPDATE',
  title: 'Update comment',
  description: 'Change the text of a comment of yours.',
  params,
  body: CommentUpdate,
  response: Comment,
  errors: ['ARCHIVED'],
  asks: always('COMMENTS_UPDATE', 'CARDS_READ'),
  keywords,
})

const respond_to_comment = operation({
  name: 'respond_to_comment',
  method: 'POST',
  path: '/api/v1/comments/{comment_id}/respond',
  permission: 'COMMENTS_RESPOND',
  title: 'Respond to comment',
  description: 'Answer a choice comment.',
  params,
  body: CommentRespond,
  response: Comment,
  status: 200,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: always('COMMENTS_RESPOND', 'CARDS_READ'),
  keywords: [...keywords, 'vote', 'choose', 'reply'],
})

const delete_comment = operation({
  name: 'delete_comment',
  method: 'DELETE',
  path: '/api/v1/comments/{comment_id}',
  permission: 'COMMENTS_DELETE',
  title: 'Delete comment',
  description: 'Delete a comment of yours, or on a board of yours.',
  params,
  errors: ['ARCHIVED'],
  asks: always('COMMENTS_DELETE', 'CARDS_READ'),
  keywords,
})

export const comments = { create_comment, update_comment, respond_to_comment, delete_comment } as const

import type { CardQuestion } from '@specboard/contract'
import type { z } from 'zod'
import type { NestedQuestion } from '../../planning/questions/store.ts'

/** A question on a card, in responses (cards 2.4). */
export type CardQuestionRecord = z.output<typeof CardQuestion>

/** A row as a question on a card, in the short form without choices. */
export const cardQuestionOf = (cardId: string, row: NestedQuestion): CardQuestionRecord => ({
  id: row.id,
  ref: row.ref,
  card_id: cardId,
  question: row.question,
  answer: row.answer,
  asked_by: row.asked_by,
  answered_by: row.answered_by,
  created_at: row.created_at,
  answered_at: row.answered_at,
})

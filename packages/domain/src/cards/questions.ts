import type { CardQuestion } from '@specboard/contract'
import type { z } from 'zod'
import type { QuestionsTable } from '../storage/schema.ts'

/** A question on a card in the wire's shape (cards 2.4). */
export type CardQuestionRecord = z.output<typeof CardQuestion>

/** A row as a card question: the short form, without choices. */
export const cardQuestionOf = (row: QuestionsTable): CardQuestionRecord => ({
  id: row.id,
  card_id: row.owner_id,
  question: row.question,
  answer: row.answer,
  asked_by: row.asked_by,
  answered_by: row.answered_by,
  created_at: row.created_at,
  answered_at: row.answered_at,
})

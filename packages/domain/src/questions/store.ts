import type { ExpressionBuilder } from 'kysely'
import { parseNullable } from '../json.ts'
import { dialect } from '../storage/dialect.ts'
import type { QuestionsTable, Schema } from '../storage/schema.ts'

/** A question in the wire's shape, beside its owner's id. */
export type Question = ReturnType<typeof questionOf>

/** The questions of a record, oldest first, as one JSON column. */
export const withQuestions = (eb: ExpressionBuilder<Schema, keyof Schema>, ownerId: string) =>
  dialect.jsonArrayFrom(
    eb
      .selectFrom('questions')
      .select([
        'questions.id',
        'questions.board_id',
        'questions.owner_type',
        'questions.owner_id',
        'questions.question',
        'questions.question_type',
        'questions.choices',
        'questions.allow_free_text',
        'questions.answer',
        'questions.selected',
        'questions.asked_by',
        'questions.answered_by',
        'questions.created_at',
        'questions.answered_at',
      ])
      .whereRef('questions.owner_id', '=', ownerId as never)
      .orderBy('questions.created_at')
      .orderBy('questions.id'),
  )

/** A row as a question, without its owner. */
export const questionOf = (row: QuestionsTable) => ({
  id: row.id,
  question: row.question,
  question_type: row.question_type as 'text' | 'choice' | 'single_choice' | 'multi_choice',
  choices: parseNullable<{ id: string; label: string }[]>(row.choices),
  allow_free_text: row.allow_free_text === 1,
  answer: row.answer,
  selected: parseNullable<string[]>(row.selected),
  asked_by: row.asked_by,
  answered_by: row.answered_by,
  created_at: row.created_at,
  answered_at: row.answered_at,
})

import { dialect, type Json } from '@specboard/storage'
import { expressionBuilder, sql } from 'kysely'
import { parseJson, parseNullable } from '../../lib/json.ts'
import { hot } from '../../schema/hot.ts'
import { questionRef } from '../../schema/refs.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import type { QuestionsTable, Schema } from '../../schema/tables.ts'
import type { PlanningType } from '../history/record-entry.ts'
import type { QuestionType } from './rules.ts'

/** A question as answered, without its owner's id. */
export type Question = ReturnType<typeof questionOf>

/** A question with the id of its record. */
export type OwnedQuestion<Owner extends PlanningType> = Question & Readonly<Record<`${Owner}_id`, string>>

/** A question as stored, with its reference. */
export interface QuestionRow extends QuestionsTable {
  ref: string
}

/** A question as nested in its owner. */
export type NestedQuestion = Omit<QuestionRow, 'board_id' | 'owner_type' | 'owner_id' | 'number'>

/** The questions of a record, oldest first, as one JSON column. */
export const withQuestions = (owner: string) =>
  dialect.jsonArrayFrom(
    expressionBuilder<Schema>()
      .selectFrom('questions')
      .select([
        'questions.id',
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
        questionRef.as('ref'),
      ])
      .where('questions.owner_id', '=', sql.ref<string>(`${owner}.id`))
      .where(sameBoard('questions', owner))
      .orderBy('questions.created_at')
      .orderBy('questions.id'),
  )

/** A row as a question, without its owner. */
export const questionOf = (row: NestedQuestion) => ({
  id: row.id,
  ref: row.ref,
  question: row.question,
  question_type: row.question_type as QuestionType,
  choices: parseNullable(row.choices),
  allow_free_text: row.allow_free_text === 1,
  answer: row.answer,
  selected: parseNullable(row.selected),
  asked_by: row.asked_by,
  answered_by: row.answered_by,
  created_at: row.created_at,
  answered_at: row.answered_at,
})

/** A row as a question of a planning record. */
export const ownedQuestionOf = <const Owner extends PlanningType>(owner: Owner, id: string, row: NestedQuestion) =>
  ({ ...questionOf(row), [`${owner}_id`]: id }) as OwnedQuestion<Owner>

/** The nested questions of a planning record. */
export const nestedQuestions = <const Owner extends PlanningType>(
  json: Json<NestedQuestion[]>,
  owner: Owner,
  id: string,
) => parseJson(json).map(row => ownedQuestionOf(owner, id, row))

/** A question by id. */
export const questionById = hot<{ id: string }, QuestionRow>((db, param) =>
  db.selectFrom('questions').selectAll().select(questionRef.as('ref')).where('id', '=', param('id')),
)

/** All questions of a record, oldest first. */
export const questionsOf = hot<OnBoard, QuestionRow>((db, param) =>
  db
    .selectFrom('questions')
    .selectAll()
    .select(questionRef.as('ref'))
    .where('owner_id', '=', param('id'))
    .where(onBoard('questions', param('board_id')))
    .orderBy('created_at')
    .orderBy('id'),
)

/** A page of the questions of a record, oldest first. */
export const listQuestions = hot<OnBoard & { limit: number; offset: number }, QuestionRow>((db, param) =>
  db
    .selectFrom('questions')
    .selectAll()
    .select(questionRef.as('ref'))
    .where('owner_id', '=', param('id'))
    .where(onBoard('questions', param('board_id')))
    .orderBy('created_at')
    .orderBy('id')
    .limit(param('limit'))
    .offset(param('offset')),
)

/** The number of questions of a record. */
export const countQuestions = hot<OnBoard, { count: number }>((db, param) =>
  db
    .selectFrom('questions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', param('id'))
    .where(onBoard('questions', param('board_id'))),
)

/** Deletes a question. */
export const deleteQuestion = hot<{ id: string }, never>((db, param) =>
  db.deleteFrom('questions').where('id', '=', param('id')),
)

import { features } from '@specboard/contract'
import { refuseArchivedCard } from '../../kernel/archived.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { tell } from '../../planning/news/store.ts'
import { deleteQuestion, questionById } from '../../planning/questions/store.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { QuestionsTable } from '../../schema/tables.ts'
import type { CardRecord } from '../card-record/record.ts'
import { forgetMarks, markSeen } from '../card-record/seen-marks.ts'
import { readCard } from '../card-record/store.ts'
import { recordOnCard } from '../card-record/write.ts'
import { cardQuestionOf } from './record.ts'

type Questions = typeof features.qa

const askCardQuestion: Implementation<Questions['ask_card_question']> = async ({ params, body }, ctx) => {
  const card = await readCard(ctx.db, params.card_id)
  refuseArchivedCard(card)
  const row: QuestionsTable = {
    id: ctx.newId(),
    board_id: card.board_id,
    owner_type: 'card',
    owner_id: card.id,
    question: body.question,
    question_type: 'text',
    choices: null,
    allow_free_text: 0,
    answer: null,
    selected: null,
    asked_by: ctx.caller.id,
    answered_by: null,
    created_at: ctx.now(),
    answered_at: null,
  }
  await insertRow(ctx.db, 'questions', row)
  await recordOnCard(ctx, card, 'question_added', { qa_id: row.id, question: excerpt(row.question) })
  return cardQuestionOf(card.id, row)
}

/** The addressed question and its card. */
async function addressed(ctx: Context, id: string): Promise<{ row: QuestionsTable; card: CardRecord }> {
  const [row] = await questionById(ctx.db, { id })
  if (row === undefined) throw notFound('question', id)
  return { row, card: await readCard(ctx.db, row.owner_id) }
}

const answerCardQuestion: Implementation<Questions['answer_card_question']> = async ({ params, body }, ctx) => {
  const { row, card } = await addressed(ctx, params.qa_id)
  refuseArchivedCard(card)
  const answered = { answer: body.answer, answered_by: ctx.caller.id, answered_at: ctx.now() }
  await updateRow(ctx.db, 'questions', row.id, answered)
  await markSeen(ctx, card.id, [row.id])
  await tell(ctx, {
    to: row.asked_by,
    kind: 'answer',
    source: row.id,
    entity: { type: 'card', id: card.id, board_id: card.board_id },
    data: { question: row.question, answer: body.answer, selected: null, answered_by: ctx.caller.id },
  })
  await recordOnCard(ctx, card, 'question_answered', { qa_id: row.id, answer: excerpt(body.answer) })
  return cardQuestionOf(card.id, { ...row, ...answered })
}

const deleteCardQuestion: Implementation<Questions['delete_card_question']> = async ({ params }, ctx) => {
  const { row, card } = await addressed(ctx, params.qa_id)
  refuseArchivedCard(card)
  await deleteQuestion(ctx.db, { id: row.id })
  await forgetMarks(ctx.db, { item: row.id })
  await recordOnCard(ctx, card, 'question_deleted', { qa_id: row.id })
}

export const qaOperations = implement(features.qa, {
  ask_card_question: askCardQuestion,
  answer_card_question: answerCardQuestion,
  delete_card_question: deleteCardQuestion,
})

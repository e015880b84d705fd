import { features } from '@specboard/contract'
import { refuseArchivedCard } from '../../kernel/archived.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError, invalid, notFound } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { sendNews } from '../../kernel/news.ts'
import { nextPartRef } from '../../kernel/parts.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { questionOperations } from '../../planning/questions/operations.ts'
import { deleteQuestion, type QuestionRow, questionById } from '../../planning/questions/store.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { QuestionsTable } from '../../schema/tables.ts'
import type { CardRecord } from '../card-record/record.ts'
import { forgetMarks, markSeen } from '../card-record/seen-marks.ts'
import { readCard } from '../card-record/store.ts'
import { recordOnCard } from '../card-record/write.ts'
import { cardQuestionOf } from './record.ts'

type Questions = typeof features.qa

const askCardQuestion: Implementation<Questions['ask_card_question']> = async ({ params, body }, ctx) =>
  askOnCard(ctx, params.card_id, body)

async function askOnCard(ctx: Context, cardId: string, body: { readonly question: string }) {
  const card = await readCard(ctx.db, cardId)
  refuseArchivedCard(card)
  const { number, ref } = await nextPartRef(ctx.db, { id: card.id, board: card.board_id }, 'q')
  const row: QuestionsTable = {
    id: ctx.newId(),
    number,
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
  return cardQuestionOf(card.id, { ...row, ref })
}

/** The addressed question and its card. */
async function addressed(ctx: Context, id: string): Promise<{ row: QuestionRow; card: CardRecord }> {
  const [row] = await questionById(ctx.db, { id })
  if (row === undefined) throw notFound('question', id)
  return { row, card: await readCard(ctx.db, row.owner_id) }
}

const answerCardQuestion: Implementation<Questions['answer_card_question']> = async ({ params, body }, ctx) =>
  answerOnCard(ctx, params.qa_id, body)

async function answerOnCard(ctx: Context, id: string, body: { readonly answer: string }) {
  const { row, card } = await addressed(ctx, id)
  refuseArchivedCard(card)
  const answered = { answer: body.answer, answered_by: ctx.caller.id, answered_at: ctx.now() }
  await updateRow(ctx.db, 'questions', row.id, answered)
  await markSeen(ctx, card.id, [row.id])
  await sendNews(ctx, {
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

/** The kinds of record that have questions, and the permissions required. */
const questionRecords = {
  ideation: { read: 'IDEATIONS_READ', answer: 'QA_ANSWER_IDEATIONS', questions: questionOperations('ideation') },
  refinement: {
    read: 'REFINEMENTS_READ',
    answer: 'QA_ANSWER_REFINEMENTS',
    questions: questionOperations('refinement'),
  },
  spec: { read: 'SPECS_READ', answer: 'QA_ANSWER_SPECS', questions: questionOperations('spec') },
  card: { read: 'CARDS_READ', answer: 'QA_ANSWER_CARDS', questions: null },
} as const

type QuestionRecordType = keyof typeof questionRecords

const questionRecordTypes = Object.keys(questionRecords) as QuestionRecordType[]

/**
 * The record with questions that an id names, as if the call had addressed it.
 * @throws DomainError NOT_FOUND when there is none that the caller sees
 */
async function recordWithQuestions(ctx: Context, id: string): Promise<{ type: QuestionRecordType; inner: Context }> {
  for (const type of questionRecordTypes)
    try {
      const { record, access } = await ctx.reach(type, id)
      return { type, inner: ctx.at({ target: record, way: access.way, records: { [`${type}_id`]: record } }) }
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error
    }
  throw notFound('record', id)
}

/** Runs part of a call on another record, counting what it records as the call's own. */
async function onRecord<Value>(ctx: Context, inner: Context, run: () => Promise<Value>): Promise<Value> {
  const value = await run()
  ctx.recorded.push(...inner.recorded)
  ctx.afterCommit.push(...inner.afterCommit)
  return value
}

/** ask_question: the ask operation of the record's kind (crew). */
const askQuestion: Implementation<Questions['ask_question']> = async ({ body }, ctx) => {
  const { record, ...question } = body
  const { type, inner } = await recordWithQuestions(ctx, record)
  const { read, questions } = questionRecords[type]
  const isText = question.question_type === 'text'
  inner.require(isText ? 'QA_CREATE' : 'QA_CREATE_CHOICE', read)
  return onRecord(ctx, inner, async () => {
    if (questions !== null) return questions.ask({ body: question }, inner)
    if (!isText || (question.choices ?? []).length > 0)
      throw invalid('question_type', 'A question on a card takes text only. Offer choices with create_comment.')
    return askOnCard(inner, inner.target.id, question)
  })
}

/** answer_question: the answer operation of the kind of record that the question is on (crew). */
const answerQuestion: Implementation<Questions['answer_question']> = async ({ params, body }, ctx) => {
  const [row] = await questionById(ctx.db, { id: params.question_id })
  if (row === undefined) throw notFound('question', params.question_id)
  const { type, inner } = await recordWithQuestions(ctx, row.owner_id)
  const { read, answer, questions } = questionRecords[type]
  inner.require(answer, read)
  return onRecord(ctx, inner, async () => {
    if (questions !== null) return questions.answer({ params: { qa_id: row.id }, body }, inner)
    if ((body.answer ?? '').trim() === '')
      throw invalid('answer', 'A question on a card is answered with text. Send answer.')
    return answerOnCard(inner, row.id, { answer: body.answer ?? '' })
  })
}

export const qaOperations = implement(features.qa, {
  ask_card_question: askCardQuestion,
  answer_card_question: answerCardQuestion,
  delete_card_question: deleteCardQuestion,
  ask_question: askQuestion,
  answer_question: answerQuestion,
})

/** Questions on cards (cards 10). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { always } from '../permission-rules.ts'
import { Id } from '../shared.ts'
import { CardQuestion } from './card.ts'

export const CardQuestionAsk = z.object({ question: z.string().min(1) }).meta({ id: 'CardQuestionAsk' })

export const CardQuestionAnswer = z.object({ answer: z.string().min(1) }).meta({ id: 'CardQuestionAnswer' })

const keywords = ['card question', 'clarify', 'clarification']

const ask_card_question = operation({
  name: 'ask_card_question',
  method: 'POST',
  path: '/api/v1/qa/card/{card_id}',
  permission: 'QA_CREATE',
  title: 'Ask card question',
  description: 'Ask a question on a card.',
  params: { card_id: Id },
  body: CardQuestionAsk,
  response: CardQuestion,
  status: 201,
  errors: ['ARCHIVED'],
  asks: always('QA_CREATE', 'CARDS_READ'),
  keywords,
})

const params = { qa_id: Id }

const answer_card_question = operation({
  name: 'answer_card_question',
  method: 'POST',
  path: '/api/v1/qa/{qa_id}/answer',
  permission: 'QA_ANSWER',
  title: 'Answer card question',
  description: 'Answer a question on a card.',
  params,
  body: CardQuestionAnswer,
  response: CardQuestion,
  status: 200,
  errors: ['ARCHIVED'],
  asks: always('QA_ANSWER_CARDS', 'CARDS_READ'),
  keywords,
})

const delete_card_question = operation({
  name: 'delete_card_question',
  method: 'DELETE',
  path: '/api/v1/qa/{qa_id}',
  permission: 'QA_DELETE',
  title: 'Delete card question',
  description: 'Delete a question on a card.',
  params,
  errors: ['ARCHIVED'],
  asks: always('QA_DELETE', 'CARDS_READ'),
  keywords,
})

export const qa = { ask_card_question, answer_card_question, delete_card_question } as const

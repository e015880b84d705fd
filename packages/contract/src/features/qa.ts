/** Questions on cards (cards 10). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { always, checkedByImplementation } from '../permission-rules.ts'
import { Id } from '../shared.ts'
import { CardQuestion } from './card.ts'
import { IdeationQuestion } from './ideations.ts'
import { QuestionAnswer, QuestionAsk } from './questions.ts'
import { RefinementQuestion } from './refinements.ts'
import { SpecQuestion } from './specs.ts'

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

/** A question on a record of any kind, with the id of that record under the name of its kind. */
const AnyQuestion = z
  .union([IdeationQuestion, RefinementQuestion, SpecQuestion, CardQuestion])
  .meta({ id: 'AnyQuestion' })

const AskAny = QuestionAsk.extend({
  record: z.string().min(1).describe('an ideation, refinement, spec or card'),
}).meta({ id: 'AskAny' })

const ask_question = operation({
  name: 'ask_question',
  method: 'POST',
  path: '/api/v1/questions',
  permission: 'QA_CREATE',
  extension: true,
  title: 'Ask question',
  description: 'Ask a question on an ideation, refinement, spec or card.',
  aside: ['allow_free_text'],
  body: AskAny,
  response: AnyQuestion,
  status: 201,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'ARCHIVED'],
  // Checked once it is known which record the body names.
  asks: checkedByImplementation(
    { permission: 'QA_CREATE', part: 'a text' },
    { permission: 'QA_CREATE_CHOICE', part: 'a choice' },
  ),
  keywords: [...keywords, 'ask'],
})

const answer_question = operation({
  name: 'answer_question',
  method: 'POST',
  path: '/api/v1/questions/{question_id}/answer',
  permission: 'QA_ANSWER',
  extension: true,
  title: 'Answer question',
  description: 'Answer a question, whatever record it is on.',
  params: { question_id: Id },
  body: QuestionAnswer,
  response: AnyQuestion,
  status: 200,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  // Checked once it is known what kind of record the question is on.
  asks: checkedByImplementation(
    { permission: 'QA_ANSWER_IDEATIONS', part: 'on ideations' },
    { permission: 'QA_ANSWER_REFINEMENTS', part: 'on refinements' },
    { permission: 'QA_ANSWER_SPECS', part: 'on specs' },
    { permission: 'QA_ANSWER_CARDS', part: 'on cards' },
  ),
  keywords: [...keywords, 'reply'],
})

export const qa = {
  ask_card_question,
  answer_card_question,
  delete_card_question,
  ask_question,
  answer_question,
} as const

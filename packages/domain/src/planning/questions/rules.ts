import type { QuestionAnswer, QuestionAsk } from '@specboard/contract'
import type { z } from 'zod'
import { invalid } from '../../kernel/errors.ts'

/** A question as sent (ideation 7). */
export type QuestionInput = z.output<typeof QuestionAsk>

/** An answer as sent (ideation 7). */
export type AnswerInput = z.output<typeof QuestionAnswer>

export type QuestionType = QuestionInput['question_type']

/** A choice of a question. */
export type Choice = NonNullable<QuestionInput['choices']>[number]

const isBlank = (text: string) => text.trim() === ''

/**
 * The choices of a new question, as stored.
 * @throws DomainError VALIDATION_ERROR when they do not fit the question's type
 */
export function checkedChoices({
  question_type,
  choices,
}: Pick<QuestionInput, 'question_type' | 'choices'>): Choice[] | null {
  const options = choices ?? []
  if (question_type === 'text') {
    if (options.length === 0) return null
    throw invalid('choices', 'A text question takes no choices. Leave them out, or ask a choice question.')
  }
  if (options.length === 0) {
    throw invalid('choices', `A question of type ${question_type} needs at least one choice {id, label}.`)
  }
  if (options.some(({ id, label }) => isBlank(id) || isBlank(label))) {
    throw invalid('choices', 'The id and the label of a choice must not be blank.')
  }
  if (new Set(options.map(choice => choice.id)).size < options.length) {
    throw invalid('choices', 'Two choices share an id. Give each its own.')
  }
  return options
}

/** The fields that an answer sets, without those that were not supplied. */
export interface AnswerFields {
  readonly answer?: string
  readonly selected?: string[]
}

/**
 * The supplied fields of an answer, if they fit the question's type. An empty array and a blank text count as not
 * supplied.
 * @throws DomainError VALIDATION_ERROR
 */
export function acceptedAnswer(
  question: { readonly question_type: QuestionType; readonly choices: readonly Choice[] | null } & {
    readonly allow_free_text: boolean
  },
  { answer, selected }: AnswerInput,
): AnswerFields {
  const text = answer !== null && !isBlank(answer) ? { answer } : {}
  const chosen = selected !== null && selected.length > 0 ? { selected: [...new Set(selected)] } : {}
  if (question.question_type === 'text') {
    if ('selected' in chosen) throw invalid('selected', 'A text question has no choices to select. Send answer alone.')
    if (!('answer' in text)) throw invalid('answer', 'Answer a text question with a text that is not blank.')
    return text
  }
  if ('answer' in text && !question.allow_free_text) {
    throw invalid('answer', 'This question takes no free text. Send the ids of its choices in selected.')
  }
  if (!('answer' in text) && !('selected' in chosen)) {
    throw invalid('selected', 'Nothing was answered. Send the ids of choices in selected.', {
      choices: question.choices,
    })
  }
  checkSelected(question, selected ?? [])
  return { ...text, ...chosen }
}

function checkSelected(
  question: { readonly question_type: QuestionType; readonly choices: readonly Choice[] | null },
  selected: readonly string[],
): void {
  const ids = new Set(question.choices?.map(choice => choice.id))
  const unknown = selected.filter(id => !ids.has(id))
  if (unknown.length > 0) {
    throw invalid('selected', `No choice of this question has the id ${unknown.join(', ')}.`, {
      details: unknown,
      choices: question.choices,
    })
  }
  if (question.question_type !== 'multi_choice' && selected.length > 1) {
    throw invalid('selected', 'This question takes one choice. Send exactly one id in selected.')
  }
}

/** Whether a question is answered: it has a text or a selection (ideation 1.5). */
export const isAnswered = ({
  answer,
  selected,
}: {
  readonly answer: string | null
  readonly selected: readonly string[] | null
}): boolean => (answer !== null && answer !== '') || (selected !== null && selected.length > 0)

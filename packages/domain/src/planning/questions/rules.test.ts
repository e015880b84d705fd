import { describe, expect, test } from 'vitest'
import {
  type AnswerFields,
  acceptedAnswer,
  type Choice,
  checkedChoices,
  isAnswered,
  type QuestionType,
} from './rules.ts'

const a = { id: 'a', label: 'Alpha' }
const b = { id: 'b', label: 'Beta' }

describe('the choices of a question', () => {
  test.each<[QuestionType, Choice[] | null, Choice[] | null]>([
    ['text', null, null],
    ['text', [], null],
    ['choice', [a], [a]],
    ['single_choice', [a, b], [a, b]],
    ['multi_choice', [b, a], [b, a]],
  ])('%s with %j stores %j', (question_type, choices, stored) => {
    expect(checkedChoices({ question_type, choices })).toEqual(stored)
  })

  test.each<[QuestionType, Choice[] | null]>([
    ['text', [a]],
    ['choice', null],
    ['single_choice', []],
    ['multi_choice', null],
    ['choice', [a, { id: 'a', label: 'Again' }]],
    ['choice', [{ id: ' ', label: 'x' }]],
    ['choice', [{ id: 'x', label: '' }]],
  ])('%s with %j is refused', (question_type, choices) => {
    expect(() => checkedChoices({ question_type, choices })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    )
  })
})

describe('an answer', () => {
  const question = (question_type: QuestionType, allow_free_text = false) => ({
    question_type,
    choices: question_type === 'text' ? null : [a, b],
    allow_free_text,
  })

  test.each<[QuestionType, boolean, string | null, string[] | null, AnswerFields]>([
    ['text', false, 'yes', null, { answer: 'yes' }],
    ['text', false, 'yes', [], { answer: 'yes' }],
    ['choice', false, null, ['a'], { selected: ['a'] }],
    ['choice', false, '  ', ['a'], { selected: ['a'] }],
    ['single_choice', true, 'why', ['b'], { answer: 'why', selected: ['b'] }],
    ['choice', true, 'other', null, { answer: 'other' }],
    ['multi_choice', false, null, ['b', 'a', 'b'], { selected: ['b', 'a'] }],
    ['multi_choice', true, 'other', [], { answer: 'other' }],
  ])('to %s (free text %s) of %j and %j sets %j', (type, free, answer, selected, accepted) => {
    expect(acceptedAnswer(question(type, free), { answer, selected })).toEqual(accepted)
  })

  test.each<[QuestionType, boolean, string | null, string[] | null]>([
    ['text', false, null, null],
    ['text', false, ' ', null],
    ['text', false, 'yes', ['a']],
    ['choice', false, null, null],
    ['choice', true, ' ', []],
    ['choice', false, null, ['c']],
    ['choice', false, null, ['a', 'b']],
    ['single_choice', false, null, ['a', 'b']],
    ['choice', false, 'why', ['a']],
    ['multi_choice', false, null, []],
    ['multi_choice', false, null, ['a', 'c']],
    ['multi_choice', false, 'why', ['a']],
  ])('to %s (free text %s) of %j and %j is refused', (type, free, answer, selected) => {
    expect(() => acceptedAnswer(question(type, free), { answer, selected })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    )
  })

  test.each([
    [null, null, false],
    ['', [], false],
    ['x', null, true],
    [null, ['a'], true],
  ])('%j and %j counts as answered: %s', (answer, selected, answered) => {
    expect(isAnswered({ answer, selected })).toBe(answered)
  })
})

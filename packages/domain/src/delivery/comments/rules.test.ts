import { expect, test } from 'vitest'
import { checkedChoices, checkedResponse, type Offer } from './rules.ts'

const choices = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B' },
]
const refused = expect.objectContaining({ code: 'VALIDATION_ERROR' })
const offer = (comment_type: Offer['comment_type'], allow_free_text = false): Offer => ({
  comment_type,
  choices: comment_type === 'text' ? null : choices,
  allow_free_text,
})

test('choices are kept on choice types, refused when empty or with a repeated id, and dropped on text', () => {
  expect(checkedChoices('choice', choices)).toEqual(choices)
  expect(checkedChoices('text', choices)).toBeNull()
  for (const offered of [undefined, null, [], [...choices, choices[0]!]])
    expect(() => checkedChoices('multi_choice', offered)).toThrow(refused)
})

test.each([
  ['a text comment', offer('text', true), { selected: [], free_text: 'x' }],
  ['an unknown choice id', offer('choice'), { selected: ['c'], free_text: null }],
  ['two choices of a single choice', offer('choice'), { selected: ['a', 'b'], free_text: null }],
  ['free text where it is not allowed', offer('choice'), { selected: ['a'], free_text: 'x' }],
  ['nothing', offer('multi_choice', true), { selected: [], free_text: ' ' }],
])('refused: %s', (_, comment, response) => {
  expect(() => checkedResponse(comment, response)).toThrow(refused)
})

test.each([
  [offer('choice'), { selected: ['a', 'a'], free_text: null }, { selected: ['a'], free_text: null }],
  [offer('multi_choice'), { selected: ['b', 'a'], free_text: '' }, { selected: ['b', 'a'], free_text: null }],
  [offer('choice', true), { selected: [], free_text: ' x ' }, { selected: [], free_text: ' x ' }],
])('accepted: %j %j', (comment, response, accepted) => {
  expect(checkedResponse(comment, response)).toEqual(accepted)
})

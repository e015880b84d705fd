import { expect, test } from 'vitest'
import { excerptAround, handlesIn, sourceOf, textsOf } from './rules.ts'

test.each<[string, string[]]>([
  ['@ada', ['ada']],
  ['Ask @ada, please.', ['ada']],
  ['Ask @ada.', ['ada']],
  ['Ask @ada-lovelace_.', ['ada-lovelace']],
  ['(@ada) [@bob] {@cy} "@dan" \'@eve\'', ['ada', 'bob', 'cy', 'dan', 'eve']],
  ['ada@example.com', []],
  ['/@ada', []],
  ['@a', []],
  ['@Ada', []],
  [`@${'x'.repeat(33)}`, []],
  ['@ada and @ada again', ['ada']],
  ['`@ada`', []],
  ['``a ` @ada`` @bob', ['bob']],
  ['one ` @ada', ['ada']],
  ['```\n@ada\n```\n@bob', ['bob']],
  ['~~~js\n@ada', []],
  ['new line\n@ada', ['ada']],
])('%j mentions %j', (text, handles) => {
  expect(handlesIn(text)).toEqual(handles)
})

test('a text mentions at most 20', () => {
  expect(handlesIn(Array.from({ length: 30 }, (_, index) => `@agent-${index}`).join(' '))).toHaveLength(20)
})

test('a long text of backticks takes no time', () => {
  const text = Array.from({ length: 2_000 }, (_, index) => '`'.repeat((index % 60) + 1)).join(' ')
  expect(handlesIn(`${text} @ada`)).toBeDefined()
})

test('texts stand in fields at any depth, but not in titles, names and labels', () => {
  const body = {
    title: '@ada',
    description: 'for @ada',
    labels: ['@ada'],
    test_scenarios: [{ given: 'for @bob', title: '@bob' }],
  }
  expect(textsOf(body)).toEqual([
    { field: 'description', text: 'for @ada' },
    { field: 'test_scenarios', text: 'for @bob' },
  ])
})

test('an excerpt shows where the handle stands', () => {
  const text = `${'x '.repeat(400)}@ada ${'y '.repeat(400)}`
  const excerpt = excerptAround(text, 'ada')
  expect(excerpt).toContain('@ada')
  expect([...excerpt].length).toBeLessThanOrEqual(280)
  expect(excerptAround('short @ada', 'ada')).toBe('short @ada')
})

test.each([
  ['create_comment', { card_id: 'c' }, { id: 'k1' }, 'comment k1'],
  ['update_comment', { comment_id: 'k1' }, { id: 'k1' }, 'comment k1'],
  ['ask_question', {}, { id: 'q1' }, 'question q1'],
  ['ask_spec_question', { spec_id: 's' }, { id: 'q1' }, 'question q1'],
  ['answer_card_question', { qa_id: 'q1' }, {}, 'answer q1'],
  ['update_card', { card_id: 'c' }, { id: 'c' }, 'description'],
])('%s writes a text of its own', (operation, params, answer, source) => {
  expect(sourceOf({ operation, params, answer }, 'description')).toBe(source)
})

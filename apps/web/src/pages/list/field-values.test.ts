import { expect, test } from 'vitest'
import { fieldsBefore, fieldsOf, nothingChosen, valueIn } from './field-values.ts'

const card = {
  assignee_id: 'agent',
  priority: 'high',
  due_date: '2026-12-04T00:00:00Z',
  labels: ['mail', 'web'],
} as const

const bare = { assignee_id: null, priority: 'none', due_date: null, labels: [] } as const

test('what a card says is what its choices are compared with', () => {
  const fields = ['assignee', 'priority', 'due', 'label'] as const
  expect(fields.map(field => valueIn(card, field))).toEqual(['agent', 'high', '2026-12-04', 'mail\nweb'])
  expect(fields.map(field => valueIn(bare, field))).toEqual([nothingChosen, 'none', nothingChosen, ''])
})

test.each([
  ['assignee', nothingChosen, { assignee_id: null }],
  ['assignee', 'other', { assignee_id: 'other' }],
  ['priority', 'low', { priority: 'low' }],
  ['due', nothingChosen, { due_date: null }],
  ['due', '2027-01-01', { due_date: '2027-01-01' }],
  ['label', 'mail', { remove_labels: ['mail'] }],
  ['label', 'new', { add_labels: ['new'] }],
] as const)('%s %s is sent as its field', (field, value, expected) => {
  expect(fieldsOf(card, field, value)).toEqual(expected)
})

test('what was there before comes back', () => {
  expect(fieldsBefore(card, 'due')).toEqual({ due_date: '2026-12-04' })
  expect(fieldsBefore(bare, 'assignee')).toEqual({ assignee_id: null })
  expect(fieldsBefore(card, 'label')).toEqual({ labels: ['mail', 'web'] })
})

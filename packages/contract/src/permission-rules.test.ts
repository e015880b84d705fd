import { expect, test } from 'vitest'
import { always, byField, byTarget, checkedByImplementation, createdIn } from './permission-rules.ts'

const inputWith = (body: Readonly<Record<string, unknown>>) => ({ params: {}, query: {}, body })

test('a PATCH asks for each field once, for the parent where a field has no child or none is sent', () => {
  const rule = byField('IDEATIONS_UPDATE', { labels: 'IDEATIONS_LABEL', assignee_id: 'IDEATIONS_ASSIGN' })
  expect(rule.permissions(inputWith({ labels: [], title: 'x', problem: 'y' }), null)).toEqual([
    'IDEATIONS_LABEL',
    'IDEATIONS_UPDATE',
  ])
  expect(rule.permissions(inputWith({}), null)).toEqual(['IDEATIONS_UPDATE'])
  expect(rule.guards).toEqual([
    { permission: 'IDEATIONS_UPDATE', part: 'every other field' },
    { permission: 'IDEATIONS_LABEL', part: 'labels' },
    { permission: 'IDEATIONS_ASSIGN', part: 'assignee_id' },
  ])
})

test('a move asks for its target', () => {
  const rule = byTarget('CARDS_MOVE', 'target_status')
  expect(rule.permissions(inputWith({ target_status: 'on_hold' }), 'started')).toEqual(['CARDS_MOVE_ON_HOLD'])
  expect(rule.guards).toContainEqual({ permission: 'CARDS_MOVE_ON_HOLD', part: 'to on_hold' })
})

test('only targets are parts of a move, not what else its group holds', () => {
  expect(byTarget('SPECS_MOVE').guards.map(({ permission }) => permission)).not.toContain('SPECS_UNLOCK')
})

test('a creation asks for the move to its status, unless that is the first, and for its state limit', () => {
  const rule = createdIn('SPECS', 'draft')
  expect(rule.permissions(inputWith({ status: 'draft' }), null)).toEqual(['SPECS_WRITE_IN_DRAFT'])
  expect(rule.permissions(inputWith({ status: 'review' }), null)).toEqual([
    'SPECS_MOVE_REVIEW',
    'SPECS_WRITE_IN_REVIEW',
  ])
  expect(rule.guards.map(({ part }) => part)).not.toContain('to draft')
})

test('a rule for every call asks for the same names in their order', () => {
  expect(always('QA_READ', 'SPECS_READ').permissions(inputWith({}), null)).toEqual(['QA_READ', 'SPECS_READ'])
})

test('what the implementation asks for is guarded, and not asked before', () => {
  const rule = checkedByImplementation({ permission: 'BOARDS_ARCHIVE' })
  expect(rule.permissions(inputWith({}), null)).toEqual([])
  expect(rule.guards).toEqual([{ permission: 'BOARDS_ARCHIVE' }])
})

import { expect, test } from 'vitest'
import { stepOf } from './step.ts'

const step = (name: string, args: Readonly<Record<string, unknown>>, key: string | undefined = 'SPE') =>
  stepOf({ name, arguments: args, reason: '' }, key)

test('what is complete is done at once', () => {
  expect(step('move_spec', { spec_id: 's', status: 'approved' })).toEqual({ kind: 'call' })
})

test('what needs words has its form', () => {
  const args = { spec_id: 's', scenario_id: 'x' }
  expect(step('record_scenario_result', args)).toEqual({ kind: 'form', form: 'record_scenario_result' })
})

test.each([
  ['get_card', { card_id: 'c' }, '/b/SPE/cards/c'],
  ['submit_spec_evaluation', { spec_id: 's' }, '/b/SPE/specs/s'],
  ['link_task_to_item', { spec_id: 's', item_id: 'i' }, '/b/SPE/coverage/s'],
])('%s leads to the page of its record', (name, args, address) => {
  expect(step(name, args)).toEqual({ kind: 'lead', address })
})

test('what is about no record of an open board remains words', () => {
  expect(step('get_my_permissions', {})).toBeUndefined()
  expect(stepOf({ name: 'get_card', arguments: { card_id: 'c' }, reason: '' }, undefined)).toBeUndefined()
})

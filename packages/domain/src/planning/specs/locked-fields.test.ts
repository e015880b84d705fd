import { BusinessRule, SpecDecision, TechnicalRequirement, TestScenario } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { specLocked } from '../spec-lock.ts'
import { fieldsAgainstLock } from './locked-fields.ts'

const scenario = (fields: object = {}) => TestScenario.parse({ id: 's', title: 'T', linked_task_ids: ['a'], ...fields })
const rule = (fields: object = {}) =>
  BusinessRule.parse({ id: 'r', title: 'T', rule: 'R', when: 'W', then: 'T', ...fields })
const decision = (fields: object = {}) => SpecDecision.parse({ id: 'd', title: 'T', rationale: 'R', ...fields })
const requirement = (fields: object = {}) => TechnicalRequirement.parse({ id: 't', text: 'T', ...fields })

describe('changes that a locked spec allows', () => {
  test.each<[string, string, unknown, unknown, boolean]>([
    ['an assignee', 'assignee_id', null, 'ada', true],
    ['labels', 'labels', null, ['a'], true],
    ['a title', 'title', 'a', 'b', false],
    ['a gate flag', 'skip_test_coverage', false, true, false],
    ['a description', 'description', null, 'a', false],
    ['an origin', 'ideation_id', null, 'i', false],
    ['requirements', 'functional_requirements', ['a'], ['a', 'b'], false],
    ['mockups', 'screen_mockups', null, [], false],
    ['a scenario status', 'test_scenarios', [scenario()], [scenario({ status: 'passed' })], true],
    ['evidence', 'test_scenarios', [scenario()], [scenario({ evidence: {}, latest_evidence: {} })], true],
    ['one more link', 'test_scenarios', [scenario()], [scenario({ linked_task_ids: ['a', 'b'] })], true],
    ['one link fewer', 'test_scenarios', [scenario()], [scenario({ linked_task_ids: ['b'] })], false],
    [
      'links in another order',
      'test_scenarios',
      [scenario({ linked_task_ids: ['a', 'b'] })],
      [scenario({ linked_task_ids: ['b', 'a'] })],
      false,
    ],
    ['no links', 'test_scenarios', [scenario()], [scenario({ linked_task_ids: null })], false],
    ['another scenario title', 'test_scenarios', [scenario()], [scenario({ title: 'U' })], false],
    ['other criteria', 'test_scenarios', [scenario()], [scenario({ linked_criteria: [] })], false],
    ['one scenario more', 'test_scenarios', [scenario()], [scenario(), scenario({ id: 'u' })], false],
    ['one scenario fewer', 'test_scenarios', [scenario()], [], false],
    ['no scenarios', 'test_scenarios', [scenario()], null, false],
    [
      'another order',
      'test_scenarios',
      [scenario(), scenario({ id: 'u' })],
      [scenario({ id: 'u' }), scenario()],
      false,
    ],
    ['a first link of a rule', 'business_rules', [rule()], [rule({ linked_task_ids: ['a'] })], true],
    ['the text of a rule', 'business_rules', [rule()], [rule({ rule: 'S' })], false],
    ['a decision status', 'decisions', [decision()], [decision({ status: 'revoked' })], false],
    [
      'a link of a requirement',
      'technical_requirements',
      ['p', requirement()],
      ['p', requirement({ linked_task_ids: ['a'] })],
      true,
    ],
    ['a plain requirement', 'technical_requirements', ['p'], ['q'], false],
    ['an object instead of a plain one', 'technical_requirements', ['p'], [requirement({ text: 'p' })], false],
  ])('%s', (_, field, old, now, isAllowed) => {
    expect(fieldsAgainstLock([{ field, old, new: now }])).toEqual(isAllowed ? [] : [field])
  })

  test('all offending fields are named', () => {
    const change = (field: string) => ({ field, old: 'a', new: 'b' })
    expect(fieldsAgainstLock(['title', 'labels', 'context'].map(change))).toEqual(['title', 'context'])
  })
})

describe('the hint how to unlock', () => {
  test.each([
    ['validated', /draft or approved/],
    ['in_progress', /with through: true/],
    ['done', /to draft/],
    ['cancelled', /to draft/],
  ] as const)('from %s', (status, details) => {
    const spec = { id: 's', status, current_validation_id: 'v', locked: true }
    expect(specLocked(spec, ['title'])).toMatchObject({
      code: 'SPEC_LOCKED',
      extra: {
        spec_id: 's',
        spec_status: status,
        current_validation_id: 'v',
        fields: ['title'],
        details: expect.stringMatching(details),
      },
    })
    expect(specLocked(spec).extra).not.toHaveProperty('fields')
  })
})

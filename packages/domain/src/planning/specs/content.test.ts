import { SpecDecision, TechnicalRequirement, TestScenario } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { type Content, changesContent, statusChanges, storedForm, touchedScenarios, withSuperseded } from './content.ts'
import type { SpecRecord } from './store.ts'

const scenario = (id: string, fields: object = {}) => TestScenario.parse({ id, title: 'T', ...fields })
const decision = (id: string, status: string, supersedes: string | null = null) =>
  SpecDecision.parse({ id, title: 'T', rationale: 'R', status, supersedes_decision_id: supersedes })

describe('decisions as stored', () => {
  test.each([
    ['active, superseded by active', 'active', 'active', 'superseded'],
    ['active, named by a revoked one', 'active', 'revoked', 'active'],
    ['active, named by a superseded one', 'active', 'superseded', 'active'],
    ['revoked, named by active', 'revoked', 'active', 'revoked'],
    ['superseded, named by active', 'superseded', 'active', 'superseded'],
  ])('%s', (_, older, newer, stored) => {
    const [first, second] = withSuperseded([decision('old', older), decision('new', newer, 'old')])
    expect([first?.status, second?.status]).toEqual([stored, newer])
  })

  test('depend on the sent status: the middle of a chain supersedes although it is itself superseded', () => {
    const chain = [decision('a', 'active'), decision('b', 'active', 'a'), decision('c', 'active', 'b')]
    expect(withSuperseded(chain).map(({ status }) => status)).toEqual(['superseded', 'superseded', 'active'])
  })
})

test('references are stored once, at their first position', () => {
  const stored = storedForm({
    test_scenarios: [scenario('s', { linked_criteria: ['1', '0', '1'], linked_task_ids: ['c', 'c'] })],
    technical_requirements: ['a', TechnicalRequirement.parse({ id: 't', text: 'T', linked_task_ids: ['d', 'd'] })],
    decisions: null,
  })
  expect(stored.test_scenarios?.[0]).toMatchObject({ linked_criteria: ['1', '0'], linked_task_ids: ['c'] })
  expect(stored.technical_requirements).toEqual(['a', { id: 't', text: 'T', linked_task_ids: ['d'] }])
  expect(stored).toHaveProperty('decisions', null)
  expect(stored).not.toHaveProperty('business_rules')
})

describe('the version rises', () => {
  const requirement = (fields: object) => [TechnicalRequirement.parse({ id: 't', text: 'T', ...fields })]
  const before: Content & Pick<SpecRecord, 'title' | 'test_scenarios'> = {
    title: 'Spec',
    description: 'D',
    context: null,
    functional_requirements: ['F'],
    technical_requirements: requirement({ budget: 5 }),
    acceptance_criteria: null,
    test_scenarios: null,
  }

  test.each<[string, Partial<SpecRecord>, boolean]>([
    ['not for equal values', { description: 'D', functional_requirements: ['F'] }, false],
    ['not for a title', { title: 'Other' }, false],
    ['not for scenarios', { test_scenarios: [scenario('s')] }, false],
    [
      'not for links of technical requirements',
      { technical_requirements: requirement({ budget: 5, linked_task_ids: ['c'] }) },
      false,
    ],
    ['for a description', { description: null }, true],
    ['for a context', { context: 'C' }, true],
    ['for requirements', { functional_requirements: ['F', 'G'] }, true],
    ['for an empty list instead of none', { acceptance_criteria: [] }, true],
    ['for a key of a technical requirement', { technical_requirements: requirement({ budget: 6 }) }, true],
    ['for a plain requirement instead of an object', { technical_requirements: ['T'] }, true],
  ])('%s', (_, fields, raised) => expect(changesContent(before, { ...before, ...fields })).toBe(raised))
})

const evidence = { test_file_path: 'a', test_function: 'b' }

describe('scenarios after a PATCH', () => {
  test('status changes do not include new ones', () => {
    const after = [scenario('a', { status: 'passed' }), scenario('b'), scenario('c', { status: 'failed' })]
    const changes = statusChanges([scenario('a'), scenario('b')], after)
    expect(changes.map(({ scenario: { id, status }, from }) => [id, from, status])).toEqual([['a', 'draft', 'passed']])
  })

  test.each<[string, object, object | null, boolean]>([
    ['untouched', { status: 'passed' }, { status: 'passed' }, false],
    ['new', { status: 'passed' }, null, true],
    ['with another status', { status: 'passed' }, { status: 'draft' }, true],
    ['with different evidence', { evidence }, {}, true],
    ['with different latest evidence', { latest_evidence: evidence }, {}, true],
    ['with another title', { title: 'U', status: 'passed' }, { status: 'passed' }, false],
  ])('whether one %s needs evidence: %j', (_, after, before, needsEvidence) => {
    const former = before === null ? null : [scenario('a', before)]
    expect(touchedScenarios(former, [scenario('a', after)])).toHaveLength(needsEvidence ? 1 : 0)
  })
})

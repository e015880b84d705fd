import { ApiContract, BusinessRule, SpecDecision, TechnicalRequirement, TestScenario } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { checkReferences, placesIn, type Referring } from './references.ts'

describe('the places that a reference names', () => {
  test.each([
    ['0', ['a', 'b'], [0]],
    ['1', ['a', 'b'], [1]],
    ['2', ['a', 'b'], []],
    ['b', ['a', 'b'], [1]],
    [' b', ['a', 'b'], []],
    ['01', ['a', 'b'], []],
    ['-1', ['a', 'b'], []],
    ['AC1', ['a', 'b'], []],
    ['an index wins', ['an index wins'], [0]],
    ['1', ['1', 'b'], [1]],
    ['7', ['a', '7'], [1]],
    ['a', ['a', 'b', 'a'], [0, 2]],
    ['0', ['a', '0', '0'], [0]],
    ['0', [], []],
    ['0', null, []],
  ])('%s in %j', (reference, texts, places) => expect(placesIn(texts)(reference)).toEqual(places))
})

const spec: Referring = {
  functional_requirements: ['It adds', 'It subtracts'],
  acceptance_criteria: ['1 + 1 = 2'],
  technical_requirements: ['plain'],
  test_scenarios: [],
  business_rules: [],
  api_contracts: [],
  decisions: [],
  screen_mockups: [],
}

const scenario = (fields: object) => TestScenario.parse({ id: 's1', title: 'T', ...fields })
const rule = (fields: object) =>
  BusinessRule.parse({ id: 'r1', title: 'T', rule: 'R', when: 'W', then: 'T', ...fields })
const contract = (fields: object) => ApiContract.parse({ id: 'c1', method: 'GET', path: '/', ...fields })
const decision = (fields: object) => SpecDecision.parse({ id: 'd1', title: 'T', rationale: 'R', ...fields })
const requirement = (fields: object) => TechnicalRequirement.parse({ id: 't1', text: 'T', ...fields })

const offenders = (fields: Partial<Referring>) => {
  try {
    checkReferences({ ...spec, ...fields }, id => id === 'card')
    return []
  } catch (error) {
    const { code, extra } = error as {
      code: string
      extra: { details: { owner: string; field: string; reference: string }[] }
    }
    expect(code).toBe('VALIDATION_ERROR')
    return extra.details.map(({ owner, field, reference }) => [owner, field, reference])
  }
}

describe('references', () => {
  test.each<[string, Partial<Referring>, string[][]]>([
    ['a criterion by index and text', { test_scenarios: [scenario({ linked_criteria: ['0', '1 + 1 = 2'] })] }, []],
    [
      'an unknown criterion',
      { test_scenarios: [scenario({ linked_criteria: ['1', 'AC1'] })] },
      [
        ['test_scenarios.s1', 'linked_criteria', '1'],
        ['test_scenarios.s1', 'linked_criteria', 'AC1'],
      ],
    ],
    ['a requirement of a rule', { business_rules: [rule({ linked_requirements: ['1', 'It adds'] })] }, []],
    [
      'an unknown requirement of a rule',
      { business_rules: [rule({ linked_requirements: ['2'] })] },
      [['business_rules.r1', 'linked_requirements', '2']],
    ],
    [
      'an unknown requirement and an unknown rule of a contract',
      { api_contracts: [contract({ linked_requirements: ['FR1'], linked_rules: ['r1'] })] },
      [
        ['api_contracts.c1', 'linked_requirements', 'FR1'],
        ['api_contracts.c1', 'linked_rules', 'r1'],
      ],
    ],
    ['a rule of a contract', { business_rules: [rule({})], api_contracts: [contract({ linked_rules: ['r1'] })] }, []],
    [
      'an unknown requirement of a decision',
      { decisions: [decision({ linked_requirements: ['9'] })] },
      [['decisions.d1', 'linked_requirements', '9']],
    ],
    ['another decision', { decisions: [decision({}), decision({ id: 'd2', supersedes_decision_id: 'd1' })] }, []],
    [
      'the decision itself',
      { decisions: [decision({ supersedes_decision_id: 'd1' })] },
      [['decisions.d1', 'supersedes_decision_id', 'd1']],
    ],
    [
      'an unknown decision',
      { decisions: [decision({ supersedes_decision_id: 'd9' })] },
      [['decisions.d1', 'supersedes_decision_id', 'd9']],
    ],
    [
      'a cycle of decisions, and one that leads into it',
      {
        decisions: [
          decision({ id: 'a', supersedes_decision_id: 'b' }),
          decision({ id: 'b', supersedes_decision_id: 'c' }),
          decision({ id: 'c', supersedes_decision_id: 'b' }),
        ],
      },
      [
        ['decisions.b', 'supersedes_decision_id', 'c'],
        ['decisions.c', 'supersedes_decision_id', 'b'],
      ],
    ],
    [
      'cards of the spec',
      {
        test_scenarios: [scenario({ linked_task_ids: ['card'] })],
        technical_requirements: ['plain', requirement({ linked_task_ids: ['card'] })],
      },
      [],
    ],
    [
      'cards of other specs, on every list',
      {
        test_scenarios: [scenario({ linked_task_ids: ['x'] })],
        business_rules: [rule({ linked_task_ids: ['x'] })],
        api_contracts: [contract({ linked_task_ids: ['x'] })],
        decisions: [decision({ linked_task_ids: ['x'] })],
        technical_requirements: [requirement({ linked_task_ids: ['x', 'card'] })],
      },
      [
        ['test_scenarios.s1', 'linked_task_ids', 'x'],
        ['business_rules.r1', 'linked_task_ids', 'x'],
        ['api_contracts.c1', 'linked_task_ids', 'x'],
        ['decisions.d1', 'linked_task_ids', 'x'],
        ['technical_requirements.t1', 'linked_task_ids', 'x'],
      ],
    ],
  ])('%s', (_, fields, expected) => expect(offenders(fields)).toEqual(expected))
})

describe('item ids', () => {
  const long = 'i'.repeat(101)

  test.each<[string, Partial<Referring>, string[][]]>([
    [
      'unique only within their list',
      { test_scenarios: [scenario({ id: 'x' })], business_rules: [rule({ id: 'x' })] },
      [],
    ],
    ['of 100 characters', { test_scenarios: [scenario({ id: long.slice(1) })] }, []],
    ['of 101 characters', { test_scenarios: [scenario({ id: long })] }, [[`test_scenarios.${long}`, 'id', long]]],
    ['empty', { business_rules: [rule({ id: '' })] }, [['business_rules.', 'id', '']]],
    ['twice', { api_contracts: [contract({}), contract({})] }, [['api_contracts.c1', 'id', 'c1']]],
    [
      'repeated, besides a plain requirement',
      { technical_requirements: [requirement({}), 't1', requirement({})] },
      [['technical_requirements.t1', 'id', 't1']],
    ],
  ])('%s', (_, fields, expected) => expect(offenders(fields)).toEqual(expected))
})

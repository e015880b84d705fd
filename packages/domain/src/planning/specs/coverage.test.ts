import { ApiContract, BusinessRule, SpecDecision, TechnicalRequirement, TestScenario } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { type CoverageFields, type CoverageFlag, type CoverageSettings, coverageRefusal } from './coverage.ts'

const nothing: CoverageFields = {
  skip_test_coverage: false,
  skip_rules_coverage: false,
  skip_trs_coverage: false,
  skip_contract_coverage: false,
  skip_decisions_coverage: false,
  functional_requirements: null,
  technical_requirements: null,
  test_scenarios: null,
  business_rules: null,
  api_contracts: null,
  decisions: null,
}

const settings: CoverageSettings = {
  skip_test_coverage_global: false,
  skip_rules_coverage_global: false,
  skip_trs_coverage_global: false,
  skip_contract_coverage_global: false,
  skip_decisions_coverage_global: false,
}

const cards = new Map([
  ['normal', 'normal'],
  ['test', 'test'],
  ['bug', 'bug'],
])

const scenario = (linked_task_ids: string[] | null) => TestScenario.parse({ id: 's1', title: 'Sum', linked_task_ids })
const rule = (fields: object) =>
  BusinessRule.parse({ id: 'r1', title: 'Rule', rule: 'R', when: 'W', then: 'T', ...fields })
const contract = (fields: object = {}) => ApiContract.parse({ id: 'c1', method: 'GET', path: '/sum', ...fields })
const decision = (fields: object = {}) => SpecDecision.parse({ id: 'd1', title: 'Choice', rationale: 'R', ...fields })
const requirement = (fields: object = {}) => TechnicalRequirement.parse({ id: 't1', text: 'Fast', ...fields })

interface Extra {
  readonly gate: string
  readonly missing: readonly {
    readonly gate: string
    readonly id: string
    readonly label: string
    readonly action: string
  }[]
}

/** What is missing, each item with its gate; null when the gates are open. */
const uncovered = (fields: Partial<CoverageFields>, global: Partial<CoverageSettings> = {}) => {
  const refusal = coverageRefusal({ ...nothing, ...fields }, { ...settings, ...global }, cards)
  if (refusal === null) return null
  expect(refusal.code).toBe('COVERAGE_REQUIRED')
  const { gate, missing } = refusal.extra as Pick<Extra, keyof Extra>
  expect(gate).toBe(missing[0]!.gate)
  for (const { action } of missing) expect(action).toContain('skip_')
  return missing.map(({ gate, id, label }) => `${gate} ${id} ${label}`)
}

describe('the coverage gates', () => {
  test.each<[string, Partial<CoverageFields>, string[] | null]>([
    ['an empty spec', {}, null],
    ['a scenario with a test card', { test_scenarios: [scenario(['normal', 'test'])] }, null],
    ['a scenario without a card', { test_scenarios: [scenario(null)] }, ['test s1 Sum']],
    ['a scenario with other cards', { test_scenarios: [scenario(['normal', 'bug'])] }, ['test s1 Sum']],
    ['a scenario with a card that does not count', { test_scenarios: [scenario(['gone'])] }, ['test s1 Sum']],
    [
      'requirements without a rule',
      { functional_requirements: ['F', 'G'], business_rules: [rule({ linked_requirements: ['1'] })] },
      ['rules 0 F', 'rule_tasks r1 Rule'],
    ],
    ['all requirements without a rule', { functional_requirements: ['F', 'G'] }, ['rules 0 F', 'rules 1 G']],
    [
      'requirements named by text and index',
      {
        functional_requirements: ['F', 'G'],
        business_rules: [rule({ linked_requirements: ['F', '1'], linked_task_ids: ['bug'] })],
      },
      null,
    ],
    [
      'equal requirements named by their text',
      {
        functional_requirements: ['F', 'F'],
        business_rules: [rule({ linked_requirements: ['F'], linked_task_ids: ['bug'] })],
      },
      null,
    ],
    [
      'a rule without a card',
      { functional_requirements: ['F'], business_rules: [rule({ linked_requirements: ['0'] })] },
      ['rule_tasks r1 Rule'],
    ],
    ['a rule without a card and without requirements', { business_rules: [rule({})] }, null],
    [
      'a technical requirement without a card',
      { technical_requirements: ['plain', requirement()] },
      ['technical_requirements t1 Fast'],
    ],
    [
      'a technical requirement with a card',
      { technical_requirements: [requirement({ linked_task_ids: ['bug'] })] },
      null,
    ],
    ['a contract without a card', { api_contracts: [contract()] }, ['contracts c1 GET /sum']],
    ['a contract with a card', { api_contracts: [contract({ linked_task_ids: ['normal'] })] }, null],
    ['an active decision without a card', { decisions: [decision()] }, ['decisions d1 Choice']],
    [
      'decisions that are not active',
      { decisions: [decision({ status: 'superseded' }), decision({ id: 'd2', status: 'revoked' })] },
      null,
    ],
    ['an active decision with a card', { decisions: [decision({ linked_task_ids: ['test'] })] }, null],
  ])('%s', (_, fields, expected) => expect(uncovered(fields)).toEqual(expected))

  test('one refusal names the items of every failing gate, in the order of the gates', () => {
    const everything: Partial<CoverageFields> = {
      decisions: [decision()],
      api_contracts: [contract()],
      technical_requirements: [requirement()],
      business_rules: [rule({ linked_requirements: ['0'] })],
      functional_requirements: ['F', 'G'],
      test_scenarios: [scenario(null), { ...scenario(null), id: 's2' }],
    }
    const all = [
      'test s1 Sum',
      'test s2 Sum',
      'rules 1 G',
      'rule_tasks r1 Rule',
      'technical_requirements t1 Fast',
      'contracts c1 GET /sum',
      'decisions d1 Choice',
    ]
    expect(uncovered(everything)).toEqual(all)
    expect(uncovered({ ...everything, skip_test_coverage: true, skip_contract_coverage: true })).toEqual(
      all.filter(item => !/^(test|contracts) /.test(item)),
    )
  })

  test.each<[CoverageFlag, Partial<CoverageFields>]>([
    ['skip_test_coverage', { test_scenarios: [scenario(null)] }],
    ['skip_rules_coverage', { functional_requirements: ['F'] }],
    ['skip_rules_coverage', { functional_requirements: ['F'], business_rules: [rule({ linked_requirements: ['0'] })] }],
    ['skip_trs_coverage', { technical_requirements: [requirement()] }],
    ['skip_contract_coverage', { api_contracts: [contract()] }],
    ['skip_decisions_coverage', { decisions: [decision()] }],
  ])('%s skips its gate, on the spec or on the board', (flag, fields) => {
    expect(uncovered(fields)).not.toBeNull()
    expect(uncovered({ ...fields, [flag]: true })).toBeNull()
    expect(uncovered(fields, { [`${flag}_global`]: true })).toBeNull()
  })
})

import { describe, expect, test } from 'vitest'
import type { Contract, Decision, Rule, Scenario } from '../../planning/specs/items.ts'
import { type CoveredSpec, coverageSummary, coveredCriteria, namedRequirements, scenarioStatuses } from './coverage.ts'
import { requirementShare } from './spec-coverage.ts'

type Scenarios = NonNullable<CoveredSpec['test_scenarios']>

const scenarios = (...links: (string[] | null)[]) =>
  links.map((linked_criteria, index) => ({ id: `s${index}`, linked_criteria, linked_task_ids: null })) as Scenarios
const criteria = (acceptance_criteria: string[], ...links: (string[] | null)[]) => [
  ...coveredCriteria({ acceptance_criteria, test_scenarios: scenarios(...links) }),
]
const rules = (...links: string[][]) =>
  links.map((linked_requirements, index) => ({ id: `r${index}`, linked_requirements, linked_task_ids: null }))

describe('acceptance criteria', () => {
  test.each<[string, string[], number[]]>([
    ['an index', ['1'], [1]],
    ['an index out of range', ['7'], []],
    ['a text', [' Logs out '], [1]],
    ['the beginning of a criterion', ['Logs i'], [0]],
    ['a text that begins with a criterion', ['Logs in, at once'], [0]],
    ['an unknown text', ['Pays'], []],
    ['a blank text', [' '], []],
    ['one criterion, referred to twice', ['0', 'Logs in'], [0]],
  ])('%s', (_, references, covered) => {
    expect(criteria(['Logs in', 'Logs out'], references)).toStrictEqual(covered)
  })

  test('digits out of range are taken as text', () => {
    expect(criteria(['404', '404 is answered'], ['404'])).toStrictEqual([0])
    expect(criteria(['404 is answered'], ['404'])).toStrictEqual([])
  })

  test('an exact text wins over an earlier text with the same beginning', () => {
    expect(criteria(['Logs in', 'Logs in twice'], ['Logs in twice'])).toStrictEqual([1])
  })
})

test.each<[string, number[]]>([
  ['0', [0]],
  ['search', [1]],
  ['The fast search of users is ranked', [1]],
  ['nothing', []],
])('resolves the requirement %j', (reference, named) => {
  expect([...namedRequirements(rules([reference]), ['Users log in', 'fast search'])]).toStrictEqual(named)
})

const empty: CoveredSpec = {
  functional_requirements: null,
  technical_requirements: null,
  acceptance_criteria: null,
  test_scenarios: null,
  business_rules: null,
  api_contracts: null,
  decisions: null,
  skip_test_coverage: false,
  skip_rules_coverage: true,
  skip_decisions_coverage: false,
}

/** Items with only the fields that coverage reads. */
const partly = <Item>(...items: Partial<Item>[]) => items as Item[]

test('an empty spec is fully covered', () => {
  const summary = coverageSummary(empty, new Set())
  const shares = Object.entries(summary).filter(([name]) => name.endsWith('_pct'))
  expect(shares).toHaveLength(7)
  for (const [, share] of shares) expect(share).toBe(100)
  expect(summary).toMatchObject({ ac_total: 0, ac_uncovered_indices: [], skip_rules_coverage: true })
  expect(requirementShare(null, null)).toBe(0)
})

test('only links to counting cards, active decisions and technical requirements in object form count', () => {
  const linked = (...linked_task_ids: string[]) => ({ linked_task_ids })
  const spec: CoveredSpec = {
    ...empty,
    acceptance_criteria: ['a', 'b', 'c'],
    functional_requirements: ['x', 'y'],
    test_scenarios: partly<Scenario>(
      { id: 's1', status: 'passed', linked_criteria: ['0', '2'], ...linked('card') },
      { id: 's2', status: 'draft', linked_criteria: null, ...linked('cancelled') },
      { id: 's3', status: 'draft', linked_criteria: null, linked_task_ids: null },
    ),
    business_rules: partly<Rule>({ id: 'r', linked_requirements: ['y'], ...linked('card', 'cancelled') }),
    api_contracts: partly<Contract>({ id: 'c', linked_requirements: null, ...linked() }),
    technical_requirements: ['plain', { id: 't', text: 'T', ...linked('card') }],
    decisions: partly<Decision>(
      { id: 'd1', status: 'active', ...linked() },
      { id: 'd2', status: 'revoked', ...linked() },
      { id: 'd3', status: 'active', ...linked('card') },
    ),
  }
  expect(coverageSummary(spec, new Set(['card']))).toStrictEqual({
    ac_total: 3,
    ac_covered: 2,
    ac_uncovered_indices: [1],
    ac_coverage_pct: 66.7,
    fr_total: 2,
    fr_covered: 1,
    fr_uncovered_indices: [0],
    fr_coverage_pct: 50,
    scenarios_total: 3,
    scenarios_linked: 1,
    scenario_task_linkage_pct: 33.3,
    brs_total: 1,
    brs_linked: 1,
    br_task_linkage_pct: 100,
    contracts_total: 1,
    contracts_linked: 0,
    contract_task_linkage_pct: 0,
    trs_total: 1,
    trs_linked: 1,
    tr_task_linkage_pct: 100,
    decisions_total: 2,
    decisions_linked: 1,
    decisions_coverage_pct: 50,
    decisions_uncovered_ids: ['d1'],
    skip_test_coverage: false,
    skip_rules_coverage: true,
    skip_decisions_coverage: false,
  })
  expect(scenarioStatuses(spec.test_scenarios)).toStrictEqual({ passed: 1, draft: 2 })
})

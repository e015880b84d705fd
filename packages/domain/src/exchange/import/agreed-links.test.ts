import { describe, expect, test } from 'vitest'
import { agreedLinks, type SpecEnd } from './agreed-links.ts'

const none = {
  functional_requirements: null,
  acceptance_criteria: null,
  test_scenarios: null,
  business_rules: null,
  api_contracts: null,
  decisions: null,
  technical_requirements: null,
}

const scenario = (id: string, linked_task_ids: string[] | null, linked_criteria: string[] | null = null) => ({
  id,
  title: id,
  linked_task_ids,
  linked_criteria,
})

const spec = (lists: object) => ({ ...none, ...lists }) as SpecEnd

describe('the links of a spec and its cards', () => {
  test('stay where both ends agree', () => {
    const cards = [
      { id: 'c1', test_scenario_ids: ['s1'] },
      { id: 'c2', test_scenario_ids: [] },
    ]
    expect(agreedLinks(spec({ test_scenarios: [scenario('s1', ['c1']), scenario('s2', null)] }), cards)).toEqual({
      lists: {},
      cards: [],
    })
  })

  test('are those of the card', () => {
    const cards = [
      { id: 'c1', test_scenario_ids: [] },
      { id: 'c2', test_scenario_ids: ['s1'] },
    ]
    const { lists } = agreedLinks(spec({ test_scenarios: [scenario('s1', ['c1'])] }), cards)
    expect(lists).toMatchObject({ test_scenarios: [{ linked_task_ids: ['c2'] }] })
  })

  test('go where the card is of another spec, or gone', () => {
    const rule = { id: 'r1', linked_task_ids: ['gone'], linked_requirements: null }
    const lists = spec({ test_scenarios: [scenario('s1', ['gone'])], business_rules: [rule] })
    expect(agreedLinks(lists, []).lists).toMatchObject({
      test_scenarios: [{ linked_task_ids: [] }],
      business_rules: [{ linked_task_ids: [] }],
    })
  })

  test('go where the scenario, the criterion or the decision is gone', () => {
    const decision = { id: 'd1', supersedes_decision_id: 'd0', linked_task_ids: null, linked_requirements: ['gone'] }
    const lists = spec({ test_scenarios: [scenario('s1', null, ['gone'])], decisions: [decision] })
    const agreed = agreedLinks(lists, [{ id: 'c1', test_scenario_ids: ['s9'] }])
    expect(agreed).toMatchObject({
      lists: {
        test_scenarios: [{ linked_criteria: [] }],
        decisions: [{ supersedes_decision_id: null, linked_requirements: [] }],
      },
      cards: [{ id: 'c1', test_scenario_ids: [] }],
    })
  })
})

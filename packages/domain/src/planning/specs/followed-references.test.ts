import { ApiContract, BusinessRule, SpecDecision, TestScenario } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { followTexts } from './followed-references.ts'
import { noLists } from './insert.ts'
import type { Referring } from './references.ts'

const rule = (linked_requirements: string[] | null) =>
  BusinessRule.parse({ id: 'r1', title: 'T', rule: 'R', when: 'W', then: 'T', linked_requirements })
const scenario = (linked_criteria: string[]) => TestScenario.parse({ id: 's1', title: 'T', linked_criteria })

/** The references of a rule after the requirements were replaced, and how many of them are lost. */
function after(before: string[], now: string[] | null, references: string[] | null) {
  const spec: Referring = { ...noLists, functional_requirements: before, business_rules: [rule(references)] }
  const { lists, lost } = followTexts(spec, { functional_requirements: now })
  return [lists.business_rules?.[0]?.linked_requirements, lost.map(({ reference }) => reference)]
}

describe('references by index', () => {
  test.each<[string, string[], string[] | null, string[] | null, string[] | null, string[]]>([
    ['follow their text', ['a', 'b', 'c'], ['c', 'a', 'b'], ['0', '2'], ['1', '0'], []],
    ['follow to the first of repeated texts', ['a', 'b'], ['x', 'b', 'a', 'a'], ['0'], ['2'], []],
    ['stay where their text stays, also when it stands elsewhere too', ['a', 'b'], ['b', 'b'], ['1'], ['1'], []],
    ['stay where the text was reworded', ['a', 'b'], ['a', 'b, but better'], ['1'], ['1'], []],
    ['stay on a reworded text beside one that moved', ['a', 'b'], ['b', 'a new'], ['0', '1'], ['0'], ['0']],
    ['are lost where another old text took the place', ['a', 'b'], ['b'], ['0'], ['0'], ['0']],
    ['beyond the new list are left to the check of references', ['a', 'b'], ['a'], ['1'], ['1'], []],
    ['are left where the list is emptied', ['a'], null, ['0'], ['0'], []],
    ['that meet are stored once', ['a', 'a'], ['x', 'a'], ['0', '1'], ['1'], []],
    ['stay null', ['a'], ['b'], null, null, []],
  ])('%s', (_, before, now, references, expected, lost) => {
    expect(after(before, now, references)).toEqual([expected, lost])
  })

  test('by text stay as they are', () => {
    expect(after(['a', 'b'], ['b', 'a'], ['a', '0'])).toEqual([['a', '1'], []])
    expect(after(['a'], ['b'], ['a'])).toEqual([['a'], []])
  })
})

test('rules, contracts, decisions and scenarios follow, each by its own list of texts', () => {
  const before: Referring = {
    ...noLists,
    functional_requirements: ['a', 'b'],
    acceptance_criteria: ['x', 'y'],
    business_rules: [rule(['1'])],
    api_contracts: [ApiContract.parse({ id: 'c1', method: 'GET', path: '/', linked_requirements: ['1'] })],
    decisions: [SpecDecision.parse({ id: 'd1', title: 'T', rationale: 'R', linked_requirements: ['0'] })],
    test_scenarios: [scenario(['0'])],
  }
  const swapped = followTexts(before, { functional_requirements: ['b', 'a'], acceptance_criteria: ['y', 'x'] })
  expect(swapped.lists).toMatchObject({
    business_rules: [{ linked_requirements: ['0'] }],
    api_contracts: [{ linked_requirements: ['0'] }],
    decisions: [{ linked_requirements: ['1'] }],
    test_scenarios: [{ linked_criteria: ['1'] }],
  })
  expect(followTexts(before, { acceptance_criteria: ['y'] }).lost).toEqual([
    { owner: 'test_scenarios.s1', field: 'linked_criteria', reference: '0', message: 'the text "x" is gone' },
  ])
})

test('lists that come in the same change are judged as sent', () => {
  const before: Referring = { ...noLists, functional_requirements: ['a', 'b'], business_rules: [rule(['0'])] }
  const update = { functional_requirements: ['b'], business_rules: [rule(['0'])] }
  expect(followTexts(before, update)).toEqual({ lists: {}, lost: [] })
  expect(followTexts(before, { context: 'new' })).toEqual({ lists: {}, lost: [] })
})

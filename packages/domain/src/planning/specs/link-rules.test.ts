import { BusinessRule, TechnicalRequirement, TestScenario } from '@specboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Linkables } from './items.ts'
import {
  checkLinkCount,
  checkScenarioLimit,
  idsAfter,
  inherited,
  linkCount,
  linkedTo,
  scenariosByCard,
  scenariosOf,
  unlinkedFrom,
  withoutCard,
} from './link-rules.ts'

const scenario = (id: string, links: string[] | null = null) =>
  TestScenario.parse({ id, title: 'T', linked_task_ids: links })

const lists: Linkables = {
  test_scenarios: [scenario('s1'), scenario('s2', ['a', 'b'])],
  business_rules: [
    BusinessRule.parse({ id: 'r', title: 'T', rule: 'R', when: 'W', then: 'T', linked_task_ids: ['a'] }),
  ],
  api_contracts: null,
  decisions: [],
  technical_requirements: ['plain', TechnicalRequirement.parse({ id: 't', text: 'T', linked_task_ids: ['b', 'a'] })],
}

const links = (items: readonly unknown[] | null | undefined) =>
  (items ?? []).map(item => (typeof item === 'string' ? item : (item as { linked_task_ids: unknown }).linked_task_ids))

describe('changes of links', () => {
  test('a new card goes to the end, and existing pairs stay', () => {
    const changed = linkedTo(lists, 'b', ['s1', 's2'])
    expect(Object.keys(changed)).toEqual(['test_scenarios'])
    expect(links(changed.test_scenarios)).toEqual([['b'], ['a', 'b']])
    expect(linkedTo(lists, 'b', ['s2'])).toEqual({})
  })

  test('unlinking a card from scenarios does not change other items', () => {
    const changed = unlinkedFrom(lists, 'a', ['s1', 's2'])
    expect(Object.keys(changed)).toEqual(['test_scenarios'])
    expect(links(changed.test_scenarios)).toEqual([null, ['b']])
  })

  test('removing a card from the spec unlinks it from every item; plain requirements stay as they are', () => {
    const changed = withoutCard(lists, 'a')
    expect(Object.keys(changed).sort()).toEqual(['business_rules', 'technical_requirements', 'test_scenarios'])
    expect(links(changed.business_rules)).toEqual([[]])
    expect(links(changed.technical_requirements)).toEqual(['plain', ['b']])
  })

  test('a bug inherits every link of its origin', () => {
    const changed = inherited(lists, 'a', 'bug')
    expect(links(changed.test_scenarios)).toEqual([null, ['a', 'b', 'bug']])
    expect(links(changed.business_rules)).toEqual([['a', 'bug']])
    expect(links(changed.technical_requirements)).toEqual(['plain', ['b', 'a', 'bug']])
    expect(inherited(lists, 'stranger', 'bug')).toEqual({})
  })
})

const ids = ['s1', 's2', 's3', 's4']
const cards = ['a', 'b', 'c']

/** Whether the two-way rule holds between scenarios and the card sides. */
const holds = (list: Linkables, sides: Readonly<Record<string, readonly string[]>>) =>
  cards.every(card => [...(sides[card] ?? [])].sort().join() === scenariosOf(list, card).sort().join())

test('both sides agree after any links, unlinks and updates', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('link' as const), card: fc.constantFrom(...cards), id: fc.constantFrom(...ids) }),
    fc.record({ kind: fc.constant('unlink' as const), card: fc.constantFrom(...cards), id: fc.constantFrom(...ids) }),
    fc.record({
      kind: fc.constant('send' as const),
      scenarios: fc.uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.subarray(cards)), { selector: ([id]) => id }),
    }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), steps => {
      let list: Linkables = { ...lists, test_scenarios: ids.map(id => scenario(id)) }
      let sides: Record<string, readonly string[]> = {}
      for (const each of steps) {
        if (each.kind === 'send') {
          list = { ...list, test_scenarios: each.scenarios.map(([id, linked]) => scenario(id, linked)) }
          sides = Object.fromEntries(cards.map(card => [card, idsAfter(sides[card] ?? [], scenariosOf(list, card))]))
        } else {
          const change = each.kind === 'link' ? linkedTo : unlinkedFrom
          list = { ...list, ...change(list, each.card, [each.id]) }
          sides[each.card] = idsAfter(sides[each.card] ?? [], scenariosByCard(list).get(each.card) ?? [])
        }
        expect(holds(list, sides)).toBe(true)
      }
    }),
  )
})

test('a card keeps the order of its ids, and new ones go to the end', () => {
  const list = { test_scenarios: ['s1', 's2', 's3'].map(id => scenario(id, ['a'])) }
  expect(idsAfter(['s3', 's9', 's1'], scenariosOf(list, 'a'))).toEqual(['s3', 's1', 's2'])
})

describe('the limit of scenarios', () => {
  test.each<[string, string[], string[], boolean]>([
    ['up to the limit', [], ['a', 'b'], true],
    ['beyond it', ['a', 'b'], ['a', 'b', 'c'], false],
    ['repeats count once', [], ['a', 'b', 'b'], true],
    ['existing pairs beyond a limit that was lowered later', ['a', 'b', 'c'], ['c', 'b', 'a'], true],
    ['fewer of the existing pairs', ['a', 'b', 'c', 'd'], ['a', 'b', 'c'], true],
    ['one replaced while beyond the limit', ['a', 'b', 'c'], ['a', 'b', 'd'], false],
  ])('%s', (_, before, after, passes) => {
    const check = () => checkScenarioLimit('card', before, after, 2)
    if (passes) expect(check).not.toThrow()
    else
      expect(check).toThrow(
        expect.objectContaining({ code: 'SCENARIO_LIMIT', extra: { card_id: 'card', limit: 2, count: 3 } }),
      )
  })
})

test('a spec takes 20,000 links at most, of all lists together, unless it had more (walls 3, rule 2)', () => {
  const item = (id: string, links: number) => ({ id, linked_task_ids: Array<string>(links).fill('c') })
  const count = linkCount({ test_scenarios: [item('s', 15_000)], decisions: [item('d', 5_001)], business_rules: null })
  expect(count).toBe(20_001)
  expect(() => checkLinkCount(0, count)).toThrow('at most 20000 links')
  expect(() => checkLinkCount(0, count - 1)).not.toThrow()
  expect(() => checkLinkCount(count, count)).not.toThrow()
})

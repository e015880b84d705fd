import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Candidate, type SuggestedSpec, suggestSprints } from './suggest.ts'

const card = (id: string, test_scenario_ids: string[] = [], depends_on: string[] = []): Candidate => ({
  id,
  title: `Card ${id}`,
  test_scenario_ids,
  depends_on,
})

const spec: SuggestedSpec = {
  test_scenarios: [
    { id: 's1', linked_criteria: ['b', 'z'] },
    { id: 's2', linked_criteria: ['a'] },
    { id: 's3', linked_criteria: null },
  ],
  business_rules: [
    { id: 'r2', linked_requirements: ['z'], linked_task_ids: null },
    { id: 'r1', linked_requirements: null, linked_task_ids: ['1'] },
    { id: 'r3', linked_requirements: ['q'], linked_task_ids: ['gone'] },
  ],
}

const slices = (cards: readonly Candidate[], threshold = 8) =>
  suggestSprints(cards, spec, threshold).map(suggestion => suggestion.card_ids)

describe('the order of the cards', () => {
  test('keeps cards of one criterion together, with those without one last', () =>
    expect(slices([card('0'), card('1', ['s1']), card('2', ['s2']), card('3', ['s3']), card('4', ['s1'])])).toEqual([
      ['1', '4', '2', '0', '3'],
    ]))

  test('groups a card by the smallest criterion of all its scenarios', () =>
    expect(slices([card('1', ['s2']), card('2', ['s1']), card('3', ['s1', 's2'])])).toEqual([['1', '3', '2']]))

  test('places dependencies of a card before it, oldest first, depth first', () =>
    expect(slices([card('1', [], ['4', '3']), card('2'), card('3', [], ['2']), card('4', [], ['gone'])])).toEqual([
      ['2', '3', '4', '1'],
    ]))
})

test('a suggestion is a slice with its scope', () => {
  expect(suggestSprints([card('1', ['s3', 's1']), card('2', ['s2']), card('3')], spec, 2)).toEqual([
    {
      title: 'Sprint 1',
      description: '2 cards',
      card_ids: ['1', '2'],
      card_titles: ['Card 1', 'Card 2'],
      test_scenario_ids: ['s1', 's2', 's3'],
      business_rule_ids: ['r1', 'r2'],
    },
    {
      title: 'Sprint 2',
      description: '1 card',
      card_ids: ['3'],
      card_titles: ['Card 3'],
      test_scenario_ids: null,
      business_rule_ids: null,
    },
  ])
})

test('without cards there are no suggestions', () => expect(slices([])).toEqual([]))

test('has every card once, after its dependencies, in full slices except the last', () => {
  const cards = fc
    .array(fc.tuple(fc.subarray(['s1', 's2', 's3']), fc.array(fc.nat(29), { maxLength: 3 })), { maxLength: 30 })
    .chain(drafts =>
      fc
        .shuffledSubarray(
          drafts.map((_, index) => index),
          { minLength: drafts.length },
        )
        // A card depends only on cards of lower rank, whatever its age, so there are no cycles.
        .map(rank =>
          drafts.map(([scenarios, dependencies], index) =>
            card(
              String(index),
              scenarios,
              dependencies.filter(other => other < drafts.length && rank[other]! < rank[index]!).map(String),
            ),
          ),
        ),
    )
  fc.assert(
    fc.property(cards, fc.integer({ min: 1, max: 10 }), (tasks, threshold) => {
      const cut = slices(tasks, threshold)
      const flat = cut.flat()
      expect(flat.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted())
      expect(cut).toHaveLength(Math.ceil(tasks.length / threshold))
      expect(cut.slice(0, -1).every(slice => slice.length === threshold)).toBe(true)
      for (const { id, depends_on } of tasks)
        for (const other of depends_on) expect(flat.indexOf(other)).toBeLessThan(flat.indexOf(id))
    }),
  )
})

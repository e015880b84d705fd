import { TestScenario } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { checkCriteria, checkSprints, checkTasks } from './done-gates.ts'

const refusal = (check: () => void) => {
  try {
    check()
    return null
  } catch (error) {
    const { code, extra } = error as { code: string; extra: object }
    return { code, ...extra }
  }
}

describe('the criteria gate', () => {
  const settings = { skip_test_coverage_global: false }
  const spec = (acceptance_criteria: string[] | null, linked: string[], skip_test_coverage = false) => ({
    acceptance_criteria,
    test_scenarios: [TestScenario.parse({ id: 's', title: 'T', linked_criteria: linked, status: 'failed' })],
    skip_test_coverage,
  })

  test.each([
    ['no criteria', spec(null, []), []],
    ['named by index and by text', spec(['a', 'b'], ['0', 'b']), []],
    ['equal criteria named by their text', spec(['a', 'a'], ['a']), []],
    [
      'some missing',
      spec(['a', 'b', 'c'], ['1']),
      [
        { index: 0, text: 'a' },
        { index: 2, text: 'c' },
      ],
    ],
    ['skipped by the spec', spec(['a'], [], true), []],
  ])('%s', (_, spec, missing) => {
    const expected = missing.length === 0 ? null : { code: 'CRITERIA_UNCOVERED', missing }
    expect(refusal(() => checkCriteria(spec, settings))).toEqual(expected)
  })

  test('skipped by the board', () => {
    expect(refusal(() => checkCriteria(spec(['a'], []), { skip_test_coverage_global: true }))).toBeNull()
  })
})

describe('the sprint gate', () => {
  const sprint = (status: string) => ({ id: status, ref: 'B-1', title: status, status })

  test.each<[string[], object | null]>([
    [[], null],
    [['closed'], null],
    [['closed', 'cancelled'], null],
    [['cancelled'], { code: 'NO_CLOSED_SPRINT' }],
    [
      ['closed', 'draft', 'active', 'review'],
      { code: 'SPRINTS_OPEN', missing: ['draft', 'active', 'review'].map(sprint) },
    ],
  ])('%j', (statuses, expected) => expect(refusal(() => checkSprints(statuses.map(sprint)))).toEqual(expected))
})

describe('the task gate', () => {
  const card = (id: string, status: string, card_type = 'normal', archived = false) => ({
    id,
    ref: `B-${id}`,
    title: id,
    status,
    card_type,
    archived,
  })

  test('normal cards that are not archived must be done or cancelled', () => {
    const cards = [
      card('done', 'done'),
      card('cancelled', 'cancelled'),
      card('test', 'started', 'test'),
      card('bug', 'started', 'bug'),
      card('archived', 'started', 'normal', true),
    ]
    expect(refusal(() => checkTasks(cards))).toBeNull()
    const missing = [
      { id: 'a', ref: 'B-a', title: 'a', status: 'on_hold' },
      { id: 'b', ref: 'B-b', title: 'b', status: 'validation' },
    ]
    expect(refusal(() => checkTasks([...cards, card('a', 'on_hold'), card('b', 'validation')]))).toEqual({
      code: 'TASKS_OPEN',
      missing,
    })
  })
})

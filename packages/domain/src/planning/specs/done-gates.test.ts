import { TestScenario } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import type { DomainError } from '../../kernel/errors.ts'
import { criteriaRefusal, scenariosRefusal, sprintsRefusal, tasksRefusal } from './done-gates.ts'

const refused = (refusal: DomainError | null) => refusal && { code: refusal.code, ...refusal.extra }

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
    expect(refused(criteriaRefusal(spec, settings))).toEqual(expected)
  })

  test('skipped by the board', () => {
    expect(criteriaRefusal(spec(['a'], []), { skip_test_coverage_global: true })).toBeNull()
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
  ])('%j', (statuses, expected) => expect(refused(sprintsRefusal(statuses.map(sprint)))).toEqual(expected))
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

  test('cards of every type that are not archived must be done or cancelled', () => {
    const closed = [
      card('done', 'done'),
      card('cancelled', 'cancelled'),
      card('tested', 'done', 'test'),
      card('fixed', 'cancelled', 'bug'),
      card('archived', 'started', 'normal', true),
      card('archived too', 'started', 'test', true),
    ]
    expect(tasksRefusal(closed)).toBeNull()
    const open = [
      card('a', 'on_hold'),
      card('b', 'validation', 'bug'),
      card('c', 'not_started', 'test'),
      card('d', 'started'),
      card('e', 'in_progress'),
    ]
    const missing = open.map(({ archived, ...fields }) => fields)
    expect(refused(tasksRefusal([...closed, ...open]))).toEqual({ code: 'TASKS_OPEN', missing })
  })
})

describe('the scenario gate', () => {
  const settings = { skip_test_coverage_global: false }
  const scenario = (status: string, linked_task_ids: string[] | null = null) =>
    TestScenario.parse({ id: status, title: status, status, linked_task_ids })
  const spec = (...test_scenarios: ReturnType<typeof scenario>[]) => ({ test_scenarios, skip_test_coverage: false })

  test.each([
    ['draft', true],
    ['ready', true],
    ['automated', false],
    ['passed', false],
    ['failed', true],
  ])('a scenario that is %s: open %s', (status, open) => {
    const missing = [{ scenario_id: status, title: status, status, linked_task_ids: ['c'] }]
    expect(refused(scenariosRefusal(spec(scenario(status, ['c'])), settings))).toEqual(
      open ? { code: 'SCENARIOS_OPEN', missing } : null,
    )
  })

  test('links are an array, never null, and every open scenario is named', () => {
    const refusal = scenariosRefusal(spec(scenario('draft'), scenario('passed'), scenario('failed')), settings)
    expect(refusal?.extra.missing).toMatchObject([
      { scenario_id: 'draft', linked_task_ids: [] },
      { scenario_id: 'failed', linked_task_ids: [] },
    ])
  })

  test('skipped by the spec or the board; open without scenarios', () => {
    const open = spec(scenario('draft'))
    expect(scenariosRefusal({ ...open, skip_test_coverage: true }, settings)).toBeNull()
    expect(scenariosRefusal(open, { skip_test_coverage_global: true })).toBeNull()
    expect(scenariosRefusal({ ...open, test_scenarios: null }, settings)).toBeNull()
  })
})

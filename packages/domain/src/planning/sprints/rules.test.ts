import { SprintStatus } from '@specboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkDates,
  checkedScope,
  emptyRefusal,
  type GateCard,
  type GateScenario,
  isOver,
  reopens,
  scopedRefusal,
  sprintStates,
  withoutEvidence,
} from './rules.ts'

const refusal = (act: () => unknown): unknown => {
  try {
    act()
    return null
  } catch (error) {
    return error
  }
}

describe('the state table', () => {
  test.each([
    ['draft', ['active', 'cancelled']],
    ['active', ['draft', 'review', 'cancelled']],
    ['review', ['active', 'closed', 'cancelled']],
    ['closed', ['draft']],
    ['cancelled', ['draft']],
  ] as const)('%s moves to %j', (from, to) => expect(sprintStates.allowed(from)).toEqual(to))

  test('any other move is refused with the allowed ones', () => {
    const status = fc.constantFrom(...SprintStatus.options)
    fc.assert(
      fc.property(status, status, (from, to) => {
        const allowed = sprintStates.allowed(from)
        const error = sprintStates.refusal(from, to)
        if (allowed.includes(to)) expect(error).toBeNull()
        else expect(error).toMatchObject({ code: 'INVALID_TRANSITION', extra: { from, to, allowed } })
      }),
    )
  })

  test('evaluations become stale on three moves', () => {
    const moves = sprintStates.transitions.filter(({ from, to }) => reopens(from, to))
    expect(moves.map(({ from, to }) => `${from} > ${to}`)).toEqual([
      'review > active',
      'closed > draft',
      'cancelled > draft',
    ])
  })

  test('a closed or cancelled sprint takes no cards', () =>
    expect(SprintStatus.options.filter(isOver)).toEqual(['closed', 'cancelled']))
})

describe('scope', () => {
  const spec = { test_scenarios: [{ id: 's1' }, { id: 's2' }], business_rules: null }

  test('has repeated ids once, at their first position', () =>
    expect(checkedScope({ test_scenario_ids: ['s2', 's1', 's2'] }, spec)).toEqual({ test_scenario_ids: ['s2', 's1'] }))

  test.each([[{}], [{ test_scenario_ids: null, business_rule_ids: [] }]])('%j stays', scope =>
    expect(checkedScope(scope, spec)).toEqual(scope),
  )

  test.each([
    ['test_scenario_ids', { test_scenario_ids: ['s1', 'x', 'y', 'x'] }, ['x', 'y']],
    ['business_rule_ids', { business_rule_ids: ['r1'] }, ['r1']],
  ])('unknown %s are listed', (field, scope, details) =>
    expect(refusal(() => checkedScope(scope, spec))).toMatchObject({
      code: 'VALIDATION_ERROR',
      extra: { field, details },
    }),
  )
})

test.each([
  [null, null, false],
  ['2026-01-02T00:00:00.000Z', null, false],
  [null, '2026-01-01T00:00:00.000Z', false],
  ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', false],
  ['2026-01-02T00:00:00.000Z', '2026-01-01T00:00:00.000Z', true],
])('dates from %s to %s refused: %s', (start, end, refused) =>
  expect(refusal(() => checkDates(start, end)) !== null).toBe(refused),
)

const card = (fields: Partial<GateCard>): GateCard => ({
  id: 'c1',
  card_type: 'normal',
  archived: false,
  test_scenario_ids: [],
  ...fields,
})
const scenario = (id: string, status: string, evidence: GateScenario['evidence'] = null): GateScenario => ({
  id,
  title: id,
  status,
  evidence,
})

test.each([
  [[], 'SPRINT_EMPTY'],
  [[card({ archived: true })], 'SPRINT_EMPTY'],
  [[card({ archived: true }), card({})], undefined],
])('the cards gate %#', (cards, code) => expect(emptyRefusal(cards)?.code).toBe(code))

describe('the scoped scenarios gate', () => {
  const scenarios = [scenario('s1', 'passed'), scenario('s2', 'failed'), scenario('s3', 'draft')]

  test.each([[null], [[]], [['s1']], [['gone', 's1']]])('%j passes', ids =>
    expect(scopedRefusal(ids, scenarios)).toBeNull(),
  )

  test('lists every scenario that has not passed, in the order of the scope', () =>
    expect(scopedRefusal(['s3', 's1', 's2'], scenarios)).toMatchObject({
      code: 'COVERAGE_REQUIRED',
      extra: {
        gate: 'scenarios',
        missing: [
          { scenario_id: 's3', title: 's3', status: 'draft' },
          { scenario_id: 's2', title: 's2', status: 'failed' },
        ],
      },
    }))
})

test('evidence is asked of the scenarios of test cards that are not archived', () => {
  const proven = { last_run_at: '2026-01-01', test_run_id: '7' }
  const scenarios = [scenario('s1', 'passed'), scenario('s2', 'passed', proven), scenario('s3', 'ready')]
  const ids = { test_scenario_ids: ['s1', 's2', 's3', 'gone'] }
  const cards = [
    card({ id: 'normal', ...ids }),
    card({ id: 'archived', card_type: 'test', archived: true, ...ids }),
    card({ id: 'test', card_type: 'test', ...ids }),
  ]
  expect(withoutEvidence(cards, scenarios)).toEqual([
    {
      scenario_id: 's1',
      card_id: 'test',
      status: 'passed',
      required: ['last_run_at', 'output_snippet or test_run_id'],
    },
  ])
})

import { describe, expect, test } from 'vitest'
import { rankAgents } from './agents.ts'
import { cardBlockers, specBlockers, summaryOf } from './blockers.ts'
import { comparison, scopedScenarios } from './entities/sprint.ts'
import { titleHolds } from './entity-list.ts'
import type { CardFact, EvaluationFact, PlanningFact, SpecFact, SprintFact, TaskValidationFact } from './facts.ts'
import { type Chain, funnelOf } from './funnel.ts'
import { bugRates, perBoard } from './overview.ts'
import { conclusionReported, validationReported } from './quality.ts'
import { sprintWindow } from './sprint.ts'
import { compareSprints, type SprintWork } from './sprints.ts'
import type { CardTally, Reports } from './tallies.ts'
import { attemptsPerCard } from './validations.ts'

const created_at = '2026-03-01T00:00:00.000Z'
const later = '2026-03-01T12:00:00.000Z'

const card = (id: string, fields: Partial<CardFact> = {}): CardFact => ({
  id,
  ref: `B-${id}`,
  title: id,
  status: 'not_started',
  card_type: 'normal',
  sprint_id: null,
  created_at,
  updated_at: created_at,
  completed_at: null,
  completeness: null,
  drift: null,
  ...fields,
})

const validation = (card_id: string, outcome: 'success' | 'failed', fields: Partial<TaskValidationFact> = {}) => ({
  card_id,
  card_type: 'normal',
  sprint_id: null,
  outcome,
  recommendation: 'approve',
  violations: [],
  confidence: 80,
  completeness: 70,
  drift: 20,
  actor_type: 'agent' as const,
  present: 0 as const,
  ...fields,
})

/** Cards of a board or sprint with one status. */
const tally = (key: string, status: CardTally['status'], fields: Partial<CardTally> = {}): CardTally => ({
  key,
  status,
  cards: 1,
  tests: 0,
  bugs: 0,
  critical: 0,
  major: 0,
  minor: 0,
  ...fields,
})

const validations = (...records: TaskValidationFact[]) => Map.groupBy(records, record => record.card_id)
const done = { status: 'done' } as const
const reported = { completeness: 90, drift: 5 }

test('agents are ranked by their activity', () => {
  const review = (reviewer_id: string, outcome: string) => ({ reviewer_id, outcome })
  const rows = rankAgents({
    created: [
      { created_by: 'ann', cards: 2, done: 2 },
      { created_by: 'x'.repeat(30), cards: 1, done: 0 },
    ],
    reported: [{ created_by: 'ann', completeness: 89.96, drift: null }],
    firstReviews: [
      { created_by: 'ann', outcome: 'failed' },
      { created_by: 'ann', outcome: 'success' },
    ],
    taskReviews: [review('rex', 'success'), review('rex', 'failed'), review('rex', 'success')],
    specReviews: [review('ann', 'failed')],
    parts: [
      { agent_id: 'ann', card_id: 'a', role: 'claimed' },
      { agent_id: 'ann', card_id: 'a', role: 'moved' },
      { agent_id: 'ann', card_id: 'b', role: 'concluded' },
      { agent_id: 'ann', card_id: 'c', role: 'moved' },
    ],
    workedCards: [
      { id: 'a', created_at, completed_at: '2026-03-02T12:00:00.000Z', judged: 1, failed: 1 },
      { id: 'b', created_at, completed_at: null, judged: 1, failed: 0 },
      { id: 'c', created_at, completed_at: null, judged: 0, failed: 0 },
    ],
    changes: new Map([['ann', { commits: 3, merges: [10, null, 20] }]]),
    kinds: new Map(),
    names: new Map([
      ['ann', 'Ann'],
      ['rex', 'Rex'],
    ]),
  })
  const none = {
    avg_completeness: null,
    avg_drift: null,
    first_pass_acceptance: null,
    first_pass_acceptance_rate: null,
    worked_cards: 0,
    rework_rate: null,
    cycle_hours: null,
    commits: 0,
    merged_pull_requests: 0,
    hours_to_merge: null,
  }
  expect(rows).toStrictEqual([
    {
      actor_id: 'ann',
      actor_name: 'Ann',
      kind: 'agent',
      total_cards: 2,
      done_cards: 2,
      avg_completeness: 90,
      avg_drift: null,
      task_validations_submitted: 0,
      task_validation_success_rate: null,
      spec_validations_submitted: 1,
      spec_validation_success_rate: 0,
      first_pass_acceptance: 50,
      first_pass_acceptance_rate: 50,
      worked_cards: 3,
      claimed_cards: 1,
      moved_cards: 2,
      concluded_cards: 1,
      worked_done_cards: 1,
      rework_rate: 50,
      cycle_hours: 36,
      commits: 3,
      merged_pull_requests: 3,
      hours_to_merge: 15,
    },
    expect.objectContaining({
      ...none,
      actor_id: 'rex',
      total_cards: 0,
      task_validations_submitted: 3,
      task_validation_success_rate: 66.7,
    }),
    expect.objectContaining({ ...none, actor_name: 'x'.repeat(20), total_cards: 1, done_cards: 0 }),
  ])
})

describe('blockers', () => {
  const blocked = (id: string, fields: object = {}) => ({
    id,
    title: id,
    status: 'started' as const,
    created_at,
    updated_at: created_at,
    ...fields,
  })

  test('of cards are sorted by card, and for each: dependencies, on hold, staleness', () => {
    const waiting = (id: string, blocking: string) => ({
      ...blocked(id),
      blocking_id: blocking,
      blocking_ref: `B-${blocking}`,
      blocking_title: blocking,
      blocking_status: 'started' as const,
    })
    const found = cardBlockers(
      [waiting('b', 'x'), waiting('b', 'y')],
      [blocked('a', { status: 'on_hold' })],
      [blocked('b')],
      '2026-03-04T12:30:00.000Z',
    )
    expect(found).toMatchObject([
      { type: 'on_hold', card_id: 'a', evidence: { updated_at: created_at } },
      {
        type: 'dependency_blocked',
        card_id: 'b',
        evidence: {
          blocking_cards: [
            { id: 'x', ref: 'B-x' },
            { id: 'y', ref: 'B-y' },
          ],
        },
      },
      { type: 'stale', card_id: 'b', evidence: { last_updated: created_at, age_hours: 84.5 } },
    ])
    expect(summaryOf(found)).toStrictEqual({ dependency_blocked: 1, on_hold: 1, stale: 1 })
  })

  test('of specs are sorted by age, whatever their type', () => {
    const spec = (id: string, status: 'approved' | 'validated', created: string) => ({
      id,
      title: id,
      status,
      created_at: created,
      validations: 2,
    })
    expect(specBlockers([spec('new', 'approved', later), spec('old', 'validated', created_at)])).toMatchObject([
      { type: 'spec_no_cards', spec_id: 'old', evidence: { status: 'validated' } },
      { type: 'spec_pending_validation', spec_id: 'new', evidence: { total_evaluations: 2 } },
    ])
  })
})

const planned = (id: string, completed_at: string | null = null): PlanningFact => ({
  id,
  board_id: 'b',
  status: 'draft',
  created_at,
  completed_at,
})
const spec = (id: string, fields: Partial<SpecFact> = {}): SpecFact => ({
  ...planned(id),
  title: id,
  status: 'draft',
  current_validation_id: null,
  ...fields,
})
const sprint = (id: string, fields: Partial<SprintFact> = {}): SprintFact => ({
  ...planned(id),
  title: id,
  status: 'draft',
  spec_id: 'spec',
  ...fields,
})

const chain: Chain = {
  ideations: [{ ...planned('i', later), status: 'done' }, planned('j')],
  refinements: [planned('r')],
  specs: [spec('s'), spec('t')],
  contents: { rules: 3, contracts: 4, with_rules: 2, with_contracts: 1, with_tests: 1 },
  sprints: [sprint('p', { status: 'closed', completed_at: later })],
  cards: [
    tally('b', 'done'),
    tally('b', 'not_started', { cards: 2, tests: 1, bugs: 1, major: 1 }),
    tally('b', 'cancelled', { bugs: 1, minor: 1 }),
  ],
  cardCycle: 12,
}

test('the funnel counts from idea to done', () => {
  expect(funnelOf(chain)).toMatchObject({
    ideations: 2,
    refinements: 1,
    specs: 2,
    sprints: 1,
    cards: 4,
    done: 1,
    ideations_done: 1,
    refinements_done: 0,
    specs_done: 0,
    cards_impl: 1,
    cards_test: 1,
    cards_bug: 2,
    rules_count: 3,
    contracts_count: 4,
    specs_with_rules: 2,
    specs_with_contracts: 1,
    specs_with_tests: 1,
    card_status_breakdown: {
      not_started: 2,
      started: 0,
      in_progress: 0,
      validation: 0,
      on_hold: 0,
      done: 1,
      cancelled: 1,
    },
    bugs_total: 2,
    bugs_open: 1,
    bugs_by_severity: { critical: 0, major: 1, minor: 1 },
    sprint_status_breakdown: { draft: 0, active: 0, review: 0, closed: 1, cancelled: 0 },
    avg_cycle_hours: 12,
    cycle_time_by_phase: { ideation: 12, refinement: null, spec: null, sprint: 12, card: 12 },
  })
})

test('the overview ranks specs by their share of bugs, and counts by board', () => {
  const found = [
    { spec_id: 's', total_tasks: 2, bugs: 1 },
    { spec_id: 't', total_tasks: 1, bugs: 1 },
    { spec_id: 'archived', total_tasks: 1, bugs: 1 },
  ]
  expect(bugRates(chain.specs, found)).toStrictEqual([
    { spec_id: 't', spec_title: 't', total_tasks: 1, bugs: 1, rate: 100 },
    { spec_id: 's', spec_title: 's', total_tasks: 2, bugs: 1, rate: 50 },
  ])
  const zeros = { ideations: 0, refinements: 0, specs: 0, sprints: 0, cards: 0, cards_done: 0, bugs: 0 }
  expect(
    perBoard(
      [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B' },
      ],
      chain,
    ),
  ).toStrictEqual([
    { board_id: 'a', board_name: 'A', ...zeros },
    {
      board_id: 'b',
      board_name: 'B',
      ideations: 2,
      refinements: 1,
      specs: 2,
      sprints: 1,
      cards: 4,
      cards_done: 1,
      bugs: 2,
    },
  ])
})

test('quality shows what was reported and found on done cards: the latest success, else the latest record', () => {
  expect(conclusionReported([card('1', reported)])).toStrictEqual([
    { card_id: '1', title: '1', card_type: 'normal', completeness: 90, drift: 5 },
  ])
  const found = validationReported(
    [card('1'), card('2')],
    validations(
      validation('1', 'success', { drift: 1 }),
      validation('1', 'success', { drift: 2 }),
      validation('1', 'failed', { drift: 3 }),
      validation('2', 'failed', { drift: 4 }),
      validation('2', 'failed', { drift: null }),
    ),
  )
  expect(found.map(({ card_id, outcome, drift }) => [card_id, outcome, drift])).toStrictEqual([
    ['1', 'success', 2],
    ['2', 'failed', null],
  ])
})

test('attempts are sorted by failures, most first', () => {
  const cards = ['a', 'b', 'c'].map(id => ({ ...card(id), spec_id: null }))
  const records = validations(
    validation('a', 'success'),
    validation('b', 'failed', { violations: ['drift 60 > max 50'] }),
    validation('b', 'success'),
    validation('c', 'failed', { recommendation: 'reject', confidence: null }),
  )
  expect(attemptsPerCard(cards, records)).toMatchObject([
    {
      card_id: 'b',
      attempts: 2,
      last_outcome: 'success',
      success_count: 1,
      failed_count: 1,
      rejection_reasons: { drift_above: 1 },
    },
    {
      card_id: 'c',
      attempts: 1,
      last_outcome: 'failed',
      last_confidence: null,
      rejection_reasons: { reject_recommendation: 1 },
    },
    { card_id: 'a', attempts: 1, failed_count: 0 },
  ])
})

describe('sprints', () => {
  const evaluation: EvaluationFact = {
    id: 'e',
    evaluator_id: 'rex',
    evaluator_name: 'Rex',
    recommendation: 'approve',
    overall_score: 88,
    stale: true,
    created_at,
  }

  test('are sorted by cards, most first; validations stand in for missing reports', () => {
    const empty: SprintWork = { sprint: sprint('empty'), cards: [], reports: [], validations: [], evaluations: [] }
    const found: SprintWork = {
      sprint: sprint('found', { status: 'active' }),
      cards: [tally('found', 'done'), tally('found', 'started')],
      reports: [],
      validations: [[validation('1', 'failed'), validation('1', 'success')]],
      evaluations: [evaluation],
    }
    const means: Reports = { key: 'reported', completeness: 185, completeness_reports: 2, drift: 0, drift_reports: 0 }
    const reported: SprintWork = {
      ...found,
      sprint: sprint('reported'),
      cards: [tally('reported', 'done', { cards: 4 })],
      reports: [means],
    }
    const { summary, sprints } = compareSprints([empty, found, reported])
    expect(sprints.map(row => row.sprint_id)).toStrictEqual(['reported', 'found', 'empty'])
    expect(sprints[0]).toMatchObject({ total_cards: 4, completion_rate: 100, avg_completeness: 92.5, avg_drift: 20 })
    expect(sprints[1]).toMatchObject({
      total_cards: 2,
      done_cards: 1,
      completion_rate: 50,
      avg_completeness: 70,
      avg_drift: 20,
      evaluations_count: 1,
      last_evaluation: { overall_score: 88, recommendation: 'approve', evaluator_name: 'Rex', created_at },
      task_validation_gate: { total_submitted: 2, total_success: 1, total_failed: 1, first_pass_rate: 0 },
    })
    expect(sprints[2]).toMatchObject({ completion_rate: 0, avg_completeness: null, last_evaluation: null })
    expect(summary).toMatchObject({
      total_sprints: 3,
      avg_completion_rate: 50,
      sprint_evaluation: { total_approve: 2 },
    })
  })

  test('are compared within their spec by scores of the last conclusion, else of the newest validation', () => {
    const cards = Map.groupBy(
      [card('1', { sprint_id: 'p', ...reported, ...done }), card('2', { sprint_id: 'p' })],
      row => row.sprint_id,
    )
    const rows = comparison(
      [sprint('q', { created_at: later }), sprint('p')],
      cards,
      validations(validation('2', 'failed')),
      'q',
    )
    expect(rows).toMatchObject([
      { sprint_id: 'p', tasks_total: 2, tasks_done: 1, avg_completeness: 80, avg_drift: 12.5, is_current: false },
      { sprint_id: 'q', tasks_total: 0, avg_completeness: null, is_current: true },
    ])
  })

  test('scope only scenarios that their spec still has', () => {
    const scenarios = (['passed', 'draft'] as const).map(status => ({ id: status, title: status, status }))
    expect(scopedScenarios(['draft', 'gone', 'passed'], scenarios)).toMatchObject({
      scoped_scenarios: [{ id: 'draft' }, { id: 'passed' }],
      scenario_coverage: 50,
    })
    expect(scopedScenarios(null, null)).toStrictEqual({ scoped_scenarios: [], scenario_coverage: 0 })
  })

  test.each([
    ['without a start: the last four weeks', null, null, 4, '2026-03-04'],
    ['with a start: up to now', '2026-02-20T00:00:00.000Z', null, 3, '2026-03-04'],
    ['with an end in the past: up to it', '2026-02-20T00:00:00.000Z', '2026-02-25T00:00:00.000Z', 2, '2026-02-25'],
    ['with an end in the future: up to now', '2026-02-20T00:00:00.000Z', '2027-02-25T00:00:00.000Z', 3, '2026-03-04'],
    ['lasting years: the latest 52 weeks', '2020-02-20T00:00:00.000Z', null, 52, '2026-03-04'],
  ])('%s', (_, start_date, end_date, weeks, end) => {
    const window = sprintWindow({ start_date, end_date }, '2026-03-04T00:00:00.000Z')
    expect(window.starts).toHaveLength(weeks)
    expect(new Date(window.to).toISOString().slice(0, 10)).toBe(end)
  })
})

test('a search finds text in titles, ignores case, and has no wildcards', () => {
  expect(titleHolds('ÉTUDE 100%', 'étude')).toBe(true)
  expect(titleHolds('ÉTUDE 100%', '0%')).toBe(true)
  expect(titleHolds('Study', '%')).toBe(false)
})

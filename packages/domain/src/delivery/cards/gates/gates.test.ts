import { CardStatus } from '@specboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstRefusal } from '../../../kernel/gates.ts'
import { forwardMoves, rankLeft } from '../../../planning/review/card-ranks.ts'
import type { CardType, Report, Status } from '../../card-record/record.ts'
import { defaultSettings, facts, inSpec, report, task } from './facts.testing.ts'
import { gatesOfMove } from './gates.ts'
import { checkShares, isSent, missingParts, needsReport, reportOf } from './report.ts'
import { gatesOf } from './transitions.ts'

const status = fc.constantFrom<Status>(...CardStatus.options)
const type = fc.constantFrom<CardType>('normal', 'test', 'bug')

test('ranks: a paused or cancelled card starts over (cards 4.2)', () => {
  expect(rankLeft).toEqual({
    not_started: 0,
    on_hold: 0,
    cancelled: 0,
    started: 1,
    in_progress: 2,
    validation: 2,
    done: 3,
  })
})

/** The rank of a status as a target; pausing and cancelling have none (cards 4.2). */
const rankOfTarget: Readonly<Partial<Record<Status, number>>> = {
  not_started: 0,
  started: 1,
  in_progress: 2,
  validation: 2,
  done: 3,
}

const isForward = (from: Status, to: Status): boolean => (rankOfTarget[to] ?? 0) > rankLeft[from]

test('forward is every move to a higher rank (cards 4.2)', () => {
  const pairs = CardStatus.options.flatMap(from => CardStatus.options.map(to => [from, to] as const))
  const forward = pairs.filter(([from, to]) => isForward(from, to))
  expect(forwardMoves.toSorted()).toEqual(forward.toSorted())
})

const free = ['report']
const full = ['spec', 'sprint', 'validation', 'scenarios', 'bug_test', 'report', 'dependencies']
const git = ['proof', 'change', 'checks']
const begin = ['spec', 'sprint', 'report', 'dependencies']
const work = ['spec', 'sprint', 'bug_test', 'report', 'dependencies']

describe('the gates of each row (cards 4.2)', () => {
  test('a bug on its way to validation shows that its regression test passed (crew 6.4)', () => {
    for (const from of ['in_progress', 'done'] as const) {
      expect(gatesOf('bug', from, 'validation')).toEqual(['bug_test', 'report'])
      expect(gatesOf('normal', from, 'validation')).toEqual(free)
    }
  })

  test.each<[Status, readonly Status[], readonly string[]]>([
    ['not_started', CardStatus.options, free],
    ['started', ['not_started', 'on_hold', 'cancelled'], begin],
    ['started', ['in_progress', 'validation', 'done'], free],
    ['in_progress', ['not_started', 'on_hold', 'cancelled', 'started'], work],
    ['in_progress', ['validation', 'done'], free],
    ['validation', ['not_started', 'on_hold', 'cancelled', 'started'], work],
    ['validation', ['validation'], free],
    ['done', ['not_started', 'on_hold', 'cancelled', 'started', 'in_progress'], full],
    ['on_hold', CardStatus.options, free],
    ['cancelled', CardStatus.options, free],
  ])('to %s from %j: %j', (to, sources, gates) => {
    for (const from of sources)
      for (const cardType of ['normal', 'test', 'bug'] as const)
        expect(gatesOf(cardType, from, to)).toEqual(
          to !== 'done' ? gates : cardType === 'test' ? [...gates, 'proof'] : [...gates, ...git],
        )
  })

  test.each<[CardType, readonly string[]]>([
    ['normal', ['validation', 'report', 'dependencies', ...git]],
    ['bug', ['validation', 'report', 'dependencies', ...git]],
    ['test', [...full, 'proof']],
  ])('to done from validation, %s: %j', (of, gates) => {
    expect(gatesOf(of, 'validation', 'done')).toEqual(gates)
  })

  test('only forward moves pass the gates spec, sprint and dependencies', () => {
    fc.assert(
      fc.property(type, status, status, (of, from, to) => {
        const gates = gatesOf(of, from, to)
        if (!isForward(from, to)) expect(gates).not.toContain('dependencies')
        else if (to !== 'done' || from !== 'validation') expect(gates).toContain('spec')
      }),
    )
  })
})

const open = { card: { status: 'in_progress' } } as const
const codeOf =
  (...move: Parameters<typeof facts>) =>
  (to: Status, sent = {}) =>
    firstRefusal(gatesOfMove({ facts: facts(...move), to, report: sent }))

describe('gate spec (cards 4.3)', () => {
  const ready = { draft: [], review: [], approved: [], cancelled: [], validated: ['test'] } as const

  test.each(['draft', 'review', 'approved', 'validated', 'in_progress', 'done', 'cancelled'] as const)(
    'a spec that is %s',
    spec_status => {
      for (const card_type of ['normal', 'test', 'bug'] as const) {
        const refusal = codeOf({ card: { card_type }, spec: { status: spec_status } })('started')
        const admits: readonly string[] = ready[spec_status as keyof typeof ready] ?? ['normal', 'test', 'bug']
        if (admits.includes(card_type)) expect(refusal).toBeNull()
        else
          expect(refusal).toMatchObject({
            code: 'SPEC_NOT_READY',
            extra: {
              spec_id: 'spec',
              spec_status,
              required_status: card_type === 'test' ? 'validated' : 'in_progress',
            },
          })
      }
    },
  )

  test('a card without a spec passes no spec gate and no sprint gate', () => {
    expect(codeOf({ card: { spec_id: null }, spec: null })('started')).toBeNull()
  })
})

describe('gate sprint (cards 4.3)', () => {
  const usableSprints = [{ id: 'sprint', ref: 'B-2', title: 'Sprint', status: 'draft' }]

  test('requires a sprint once the spec has a usable one', () => {
    expect(codeOf({ usableSprints })('started')).toMatchObject({
      code: 'SPRINT_REQUIRED',
      extra: { spec_id: 'spec', details: usableSprints },
    })
  })

  test.each(['draft', 'active', 'review', 'closed', 'cancelled'])('a card in a sprint that is %s', sprint_status => {
    const refusal = codeOf({ usableSprints, sprint: { status: sprint_status } })('started')
    if (sprint_status === 'active') expect(refusal).toBeNull()
    else expect(refusal).toMatchObject({ code: 'SPRINT_NOT_ACTIVE', extra: { sprint_id: 'sprint', sprint_status } })
  })

  test('is open when the spec has no usable sprint', () => {
    expect(codeOf({ sprint: { status: 'cancelled' } })('started')).toBeNull()
  })
})

describe('gate validation (cards 4.3)', () => {
  const thresholds = {
    required: true,
    min_confidence: 70,
    min_completeness: 80,
    max_drift: 50,
    resolved_from: 'board',
  }
  const refused = (required: boolean) => ({
    code: 'VALIDATION_REQUIRED',
    extra: { missing: ['task_validation'], required_thresholds: { ...thresholds, required } },
  })

  test.each([null, 'failed'] as const)(
    'in validation with the active outcome %s, it is closed whatever the settings',
    activeOutcome => {
      expect(codeOf({ card: { status: 'validation' }, activeOutcome })('done', report)).toMatchObject(refused(false))
    },
  )

  test('in validation with an approval, it is open without a report', () => {
    expect(codeOf({ card: { status: 'validation' }, activeOutcome: 'success' })('done')).toBeNull()
  })

  test.each(['normal', 'bug', 'test'] as const)(
    'in other statuses, it applies where validation is required: %s',
    card_type => {
      const settings = { require_task_validation: true, require_test_task_for_bug: false }
      const refusal = codeOf({ card: { card_type, status: 'in_progress' }, settings })('done', report)
      if (card_type === 'test') expect(refusal).toBeNull()
      else {
        expect(refusal).toMatchObject(refused(true))
        expect(refusal?.message).toContain('Move it to validation first')
      }
    },
  )
})

describe('gate validation of a board that separates review (work 4)', () => {
  const separate = { require_separate_reviewer: true, require_test_task_for_bug: false }

  test.each<[CardType, Status, 'success' | 'failed' | null, boolean, boolean]>([
    ['normal', 'validation', 'success', true, true],
    ['normal', 'validation', 'success', false, false],
    ['normal', 'validation', 'failed', true, false],
    ['bug', 'in_progress', null, true, false],
    ['bug', 'in_progress', 'success', true, true],
    ['normal', 'started', 'success', false, false],
    ['test', 'in_progress', null, true, true],
    ['test', 'validation', null, true, true],
  ])(
    '%s from %s, active %s, by a separate agent %s: open %s',
    (cardType, from, activeOutcome, reviewedSeparately, open) => {
      const overrides = { card: { card_type: cardType, status: from }, activeOutcome, reviewedSeparately }
      const refusal = codeOf({ ...overrides, settings: separate })('done', report)
      expect(refusal?.code).toBe(open ? undefined : 'VALIDATION_REQUIRED')
      if (refusal !== null) expect(refusal.message).toMatch(/took (no )?part in the work/)
    },
  )

  test('where validation is required, it stays closed from other statuses', () => {
    const settings = { ...separate, require_task_validation: true }
    const overrides = { card: { status: 'in_progress' }, activeOutcome: 'success', settings } as const
    expect(codeOf(overrides)('done', report)?.code).toBe('VALIDATION_REQUIRED')
  })
})

describe('gate scenarios (cards 4.3)', () => {
  const scenarios = [inSpec('s1', 'draft'), inSpec('s2', 'ready'), inSpec('s3', 'passed'), inSpec('s4', 'draft')]
  const card = { status: 'in_progress', test_scenario_ids: ['s1', 's2', 's3', 'gone'] } as const

  test('names the scenarios that were not run', () => {
    expect(codeOf({ card, spec: { test_scenarios: scenarios } })('done', report)).toMatchObject({
      code: 'SCENARIOS_NOT_RUN',
      extra: {
        details: [
          { scenario_id: 's1', title: 'Works', status: 'draft' },
          { scenario_id: 's2', title: 'Works', status: 'ready' },
        ],
      },
    })
  })

  test.each([
    ['the spec', { spec: { test_scenarios: scenarios, skip_test_coverage: true } }],
    ['the board', { spec: { test_scenarios: scenarios }, settings: { skip_test_coverage_global: true } }],
  ])('%s skips it', (_, overrides) => {
    expect(codeOf({ card, ...overrides })('done', report)).toBeNull()
  })

  test('applies to a test card in validation, but not to a validated normal card', () => {
    const from = { ...card, status: 'validation' } as const
    const approved = { spec: { test_scenarios: scenarios }, activeOutcome: 'success' } as const
    expect(codeOf({ card: { ...from, card_type: 'test' }, ...approved })('done', report)?.code).toBe(
      'SCENARIOS_NOT_RUN',
    )
    expect(codeOf({ card: from, ...approved })('done')).toBeNull()
  })
})

describe('gate bug test (cards 7.3)', () => {
  const bug = { card_type: 'bug', severity: 'major', linked_test_task_ids: ['t1'] } as const
  const spec = { test_scenarios: [inSpec('s1', 'passed')] }

  test.each(['in_progress', 'validation', 'done'] as const)('without a linked task, the move to %s is blocked', to => {
    expect(codeOf({ card: { ...bug, linked_test_task_ids: [] } })(to, report)).toMatchObject({
      code: 'TEST_TASK_REQUIRED',
      extra: { missing: ['linked_test_task_ids', 'regression_test'] },
    })
  })

  test('names all problems of all linked tasks at once', () => {
    const testTasks = [
      task('t1', { card_type: 'normal', test_scenario_ids: [] }),
      task('t2', { spec_id: 'other', created_at: '2026-01-01T00:00:00.000Z', test_scenario_ids: ['s1', 'gone'] }),
      task('t4'),
    ]
    const card = { ...bug, linked_test_task_ids: ['t1', 't2', 't3', 't4'] }
    expect(codeOf({ card, spec, testTasks })('in_progress')).toMatchObject({
      code: 'TEST_TASK_INVALID',
      extra: {
        details: [
          { test_task_id: 't1', problem: 'not_a_test' },
          { test_task_id: 't1', problem: 'no_scenario' },
          { test_task_id: 't2', problem: 'other_spec' },
          { test_task_id: 't2', problem: 'older_than_bug' },
          { test_task_id: 't2', problem: 'unknown_scenario' },
          { test_task_id: 't3', problem: 'not_found' },
        ],
      },
    })
  })

  test('a task as old as the bug counts', () => {
    expect(codeOf({ card: bug, spec, testTasks: [task('t1')] })('in_progress')).toBeNull()
  })

  test.each([
    [null, 'minor', true],
    [null, 'major', false],
    ['minor', 'minor', true],
    ['minor', 'major', false],
    ['major', 'major', true],
    ['major', 'critical', false],
    ['critical', 'critical', true],
  ] as const)('severity %s on a board with minimum %s: %s', (severity, bug_test_gate_min_severity, isRequired) => {
    const card = { ...bug, severity, linked_test_task_ids: [] }
    const refusal = codeOf({ card, settings: { bug_test_gate_min_severity } })('in_progress')
    expect(refusal?.code).toBe(isRequired ? 'TEST_TASK_REQUIRED' : undefined)
  })

  test('does not apply when the board turns it off, to other types, or to a bug that is past it', () => {
    const without = { ...bug, linked_test_task_ids: [] }
    expect(codeOf({ card: without, settings: { require_test_task_for_bug: false } })('in_progress')).toBeNull()
    expect(codeOf({ card: { ...without, card_type: 'normal' } })('in_progress')).toBeNull()
    expect(codeOf({ card: { ...without, status: 'in_progress' } })('done', report)).toBeNull()
  })
})

describe('gate report (cards 4.4)', () => {
  const missing = ['conclusion', 'completeness', 'completeness_justification', 'drift', 'drift_justification']

  test.each<[CardType, Status, Status, boolean, boolean]>([
    ['normal', 'in_progress', 'validation', false, true],
    ['bug', 'not_started', 'validation', false, true],
    ['test', 'in_progress', 'validation', false, false],
    ['normal', 'done', 'validation', false, false],
    ['normal', 'in_progress', 'done', false, true],
    ['test', 'validation', 'done', false, true],
    ['bug', 'validation', 'done', true, false],
    ['normal', 'validation', 'done', false, true],
    ['normal', 'in_progress', 'started', false, false],
    ['normal', 'started', 'cancelled', false, false],
    ['normal', 'done', 'done', false, false],
    ['normal', 'validation', 'validation', false, false],
  ])('%s from %s to %s, approved %s: required: %s', (cardType, from, to, approved, isRequired) => {
    const card = { card_type: cardType, status: from, conclusions: [] }
    expect(needsReport({ card, workedSince: null }, to, approved)).toBe(isRequired)
  })

  test.each<[string, CardType, string | null, readonly string[], boolean]>([
    ['a report since then', 'test', '2026-02-02', ['2026-02-01', '2026-02-03'], false],
    ['a report of the same moment', 'test', '2026-02-02', ['2026-02-02'], false],
    ['only reports from before', 'test', '2026-02-02', ['2026-02-01'], true],
    ['no report', 'test', '2026-02-02', [], true],
    ['never worked on', 'test', null, ['2026-02-03'], true],
    ['not a test card', 'normal', null, ['2026-02-03'], true],
  ])(
    'a card worked on since a time, with %s: a report for done is required: %s',
    (_, cardType, workedSince, times, isRequired) => {
      const conclusions = times.map(created_at => ({ created_at }) as Report)
      for (const from of ['started', 'in_progress', 'validation'] as const)
        expect(
          needsReport({ card: { card_type: cardType, status: from, conclusions }, workedSince }, 'done', false),
        ).toBe(isRequired)
    },
  )

  test('names all missing parts at once; blank counts as missing', () => {
    expect(codeOf(open)('validation')).toMatchObject({ code: 'CONCLUSION_REQUIRED', extra: { missing } })
    expect(codeOf(open)('validation', { ...report, drift: null, completeness_justification: ' ' })).toMatchObject({
      extra: { missing: ['completeness_justification', 'drift'] },
    })
    expect(codeOf(open)('validation', report)).toBeNull()
  })

  test('a report that is not required must be complete too', () => {
    expect(codeOf(open)('on_hold', { conclusion: 'Halfway.' })?.code).toBe('CONCLUSION_REQUIRED')
    expect(codeOf(open)('on_hold', { conclusion: '  ', drift: 4 })).toBeNull()
    expect(codeOf(open)('in_progress', report)).toBeNull()
  })

  test('counts as sent with a conclusion, and blank parts as missing', () => {
    expect([isSent({}), isSent({ conclusion: '' }), isSent({ conclusion: 'x' })]).toEqual([false, false, true])
    expect(missingParts({ ...report, completeness: 0 }, false)).toEqual([])
  })

  test('shares are integers from 0 to 100', () => {
    expect(() => checkShares({ completeness: 0, drift: 100 })).not.toThrow()
    for (const name of ['completeness', 'drift'])
      for (const share of [-1, 101])
        expect(() => checkShares({ [name]: share })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
  })

  test('is stored trimmed, with its author and the target status', () => {
    expect(
      reportOf({ ...report, conclusion: ' Done. ' }, { to: 'validation', isSmall: false, authorId: 'me', now: 'now' }),
    ).toEqual({
      ...report,
      conclusion: undefined,
      text: 'Done.',
      author_id: 'me',
      created_at: 'now',
      source: 'move_to_validation',
    })
  })
})

test('gate dependencies names the open cards (cards 4.3)', () => {
  const openDependencies = [{ id: 'a', ref: 'B-3', title: 'First', status: 'started' as const }]
  expect(codeOf({ openDependencies })('started')).toMatchObject({
    code: 'DEPENDENCIES_NOT_MET',
    extra: { details: openDependencies },
  })
  expect(codeOf({ openDependencies })('on_hold')).toBeNull()
})

test('the first closed gate in the order of the row decides the refusal', () => {
  const closed = {
    card: { card_type: 'bug', severity: 'critical', test_scenario_ids: ['s1'] },
    spec: { status: 'approved', test_scenarios: [inSpec('s1', 'draft')] },
    usableSprints: [{ id: 'sprint', ref: 'B-2', title: 'Sprint', status: 'draft' }],
    settings: { ...defaultSettings, require_task_validation: true },
    openDependencies: [{ id: 'a', ref: 'B-3', title: 'First', status: 'started' }],
  } as const
  const opened = [
    { spec: { ...closed.spec, status: 'in_progress' } },
    { usableSprints: [] },
    { settings: { ...closed.settings, require_task_validation: false } },
    { card: { ...closed.card, test_scenario_ids: [] } },
    { card: { ...closed.card, test_scenario_ids: [], severity: null }, settings: { require_test_task_for_bug: false } },
  ] as const
  const answers = [closed, ...opened].map(
    (_, index) => codeOf(Object.assign({ ...closed }, ...opened.slice(0, index)))('done')?.code,
  )
  expect(answers).toEqual([
    'SPEC_NOT_READY',
    'SPRINT_REQUIRED',
    'VALIDATION_REQUIRED',
    'SCENARIOS_NOT_RUN',
    'TEST_TASK_REQUIRED',
    'CONCLUSION_REQUIRED',
  ])
})

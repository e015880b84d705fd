import { defaultBoardSettings } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { type Overrides, resolveThresholds } from '../gates/thresholds.ts'
import { conclusionOf, readSubmission, verdictOf } from './rules.ts'
import { activeOf } from './store.ts'

const silent: Overrides = {
  require_task_validation: null,
  validation_min_confidence: null,
  validation_min_completeness: null,
  validation_max_drift: null,
}

describe('thresholds (cards 5.1)', () => {
  test.each<[string, Partial<Overrides> | null, Partial<Overrides> | null, object]>([
    [
      'the board',
      null,
      null,
      { required: false, min_confidence: 70, min_completeness: 80, max_drift: 50, resolved_from: 'board' },
    ],
    ['a spec', null, { require_task_validation: true }, { required: true, min_confidence: 70, resolved_from: 'spec' }],
    [
      'a sprint',
      { require_task_validation: false },
      { require_task_validation: true },
      { required: false, resolved_from: 'sprint' },
    ],
    [
      'resolved value by value',
      { validation_min_confidence: 0 },
      { validation_min_confidence: 10, validation_max_drift: 20 },
      { min_confidence: 0, min_completeness: 80, max_drift: 20, resolved_from: 'board' },
    ],
  ])('%s', (_, sprint, spec, expected) => {
    const overrides = (own: Partial<Overrides> | null) => (own === null ? null : { ...silent, ...own })
    expect(resolveThresholds(overrides(sprint), overrides(spec), defaultBoardSettings)).toMatchObject(expected)
  })
})

const plain = { outcome: 'success', summary: 'Good.' }
const scored = {
  recommendation: 'approve',
  summary: 'Good.',
  confidence: 70,
  confidence_justification: 'Tested.',
  estimated_completeness: 80,
  completeness_justification: 'All.',
  estimated_drift: 50,
  drift_justification: 'None.',
}
const refused = (extra: object) =>
  expect.objectContaining({ code: 'VALIDATION_ERROR', extra: expect.objectContaining(extra) })
const justifications = ['confidence_justification', 'completeness_justification', 'drift_justification']

describe('a submission lists all missing fields at once, by their canonical names (cards 5.2)', () => {
  test.each([
    [{}, ['outcome', 'summary']],
    [{ outcome: null, summary: ' ' }, ['outcome', 'summary']],
    [{ recommendation: 'approve', summary: 'x' }, ['outcome']],
    [{ confidence: 1 }, ['recommendation', 'summary', 'estimated_completeness', 'estimated_drift', ...justifications]],
    [
      { outcome: 'success', estimated_drift: 1 },
      ['summary', 'confidence', 'estimated_completeness', ...justifications],
    ],
  ])('%j lacks %j', (body, missing) => {
    expect(() => readSubmission(body, 'me', true)).toThrow(refused({ missing }))
  })
})

describe('invalid values (cards 5.2)', () => {
  test.each([
    [{ ...plain, outcome: 'maybe' }, 'outcome'],
    [{ ...plain, outcome: 5 }, 'outcome'],
    [{ ...plain, outcome: 'constructor' }, 'outcome'],
    [{ ...plain, recommendation: 'perhaps' }, 'recommendation'],
    [{ ...plain, recommendation: 'reject' }, 'recommendation'],
    [{ ...scored, outcome: 'failed' }, 'recommendation'],
    [{ ...scored, confidence: 101 }, 'confidence'],
    [{ ...scored, confidence: -1 }, 'confidence'],
    [{ ...scored, estimated_completeness: 80.5 }, 'estimated_completeness'],
    [{ ...scored, estimated_drift: '5' }, 'estimated_drift'],
  ])('%j: %s', (body, field) => {
    expect(() => readSubmission(body, 'me', true)).toThrow(refused({ details: [expect.objectContaining({ field })] }))
  })
})

test('a plain body is read with defaults, and routes as its board says unless it says itself', () => {
  expect(readSubmission(plain, 'me', false)).toEqual({
    recommendation: 'approve',
    summary: 'Good.',
    evidence: [],
    reviewerId: 'me',
    scores: null,
    autoMove: false,
  })
  expect(
    readSubmission({ ...plain, outcome: 'failure', reviewer_id: 'you', auto_move: true }, 'me', false),
  ).toMatchObject({
    recommendation: 'reject',
    reviewerId: 'you',
    autoMove: true,
  })
})

test('a scored body routes as its board says; outcome replaces the recommendation', () => {
  const { recommendation, ...rest } = scored
  expect(readSubmission(scored, 'me', true)).toMatchObject({
    recommendation,
    autoMove: true,
    scores: { confidence: 70 },
  })
  expect(readSubmission({ ...rest, outcome: 'failed', auto_move: false }, 'me', true)).toMatchObject({
    recommendation: 'reject',
    autoMove: false,
  })
})

const thresholds = resolveThresholds(null, null, defaultBoardSettings)

test.each([
  ['equal to the thresholds passes', {}, 'success', []],
  ['confidence', { confidence: 69 }, 'failed', ['confidence 69 < min 70']],
  ['completeness', { estimated_completeness: 79 }, 'failed', ['completeness 79 < min 80']],
  ['drift', { estimated_drift: 51 }, 'failed', ['drift 51 > max 50']],
  [
    'all, in order',
    { confidence: 0, estimated_completeness: 0, estimated_drift: 100 },
    'failed',
    ['confidence 0 < min 70', 'completeness 0 < min 80', 'drift 100 > max 50'],
  ],
  ['a rejection', { recommendation: 'reject' }, 'failed', []],
])('verdict: %s', (_, fields, outcome, violations) => {
  expect(verdictOf(readSubmission({ ...scored, ...fields }, 'me', true), thresholds)).toEqual({ outcome, violations })
})

test('no threshold applies to a plain submission', () => {
  expect(verdictOf(readSubmission(plain, 'me', false), thresholds)).toEqual({ outcome: 'success', violations: [] })
  expect(verdictOf(readSubmission({ ...plain, outcome: 'failed' }, 'me', true), thresholds).outcome).toBe('failed')
})

test('the conclusion in place of a missing report', () => {
  const empty = { completeness: null, completeness_justification: '', drift: null, drift_justification: '' }
  expect(conclusionOf(readSubmission({ ...plain, summary: ' Good. ' }, 'me', true), 'v', 'now')).toEqual({
    text: 'Good.',
    author_id: 'me',
    created_at: 'now',
    ...empty,
    source: 'task_validation',
    validation_id: 'v',
  })
  expect(conclusionOf(readSubmission(scored, 'me', true), 'v', 'now')).toMatchObject({
    completeness: 80,
    completeness_justification: 'All.',
    drift: 50,
    drift_justification: 'None.',
  })
})

test.each([
  [[], 1, null],
  [[1], 1, 0],
  [[1, 1], 1, 1],
  [[1, 1], 2, null],
  [[1, 2, 2], 2, 2],
])(
  'with validations in the stays %j and the latest stay %i, the active one is number %s (cards 5.4)',
  (stays, latest, index) => {
    const rows = stays.map(stay => ({ stay }))
    expect(activeOf(rows, latest)).toBe(index === null ? null : rows[index])
  },
)

import { expect, test } from 'vitest'
import { specEvaluations, sprintEvaluations } from './evaluations.ts'
import { specGate, specReasonsOf, type TaskSubmission, taskGate } from './gates.ts'

const submission = (fields: Partial<TaskSubmission> = {}): TaskSubmission => ({
  outcome: 'success',
  recommendation: 'approve',
  violations: [],
  confidence: 90,
  completeness: 90,
  drift: 10,
  ...fields,
})
const failed = (fields: Partial<TaskSubmission> = {}) => submission({ outcome: 'failed', ...fields })

test('attempts are rounded half up', () => {
  const once = Array.from({ length: 29 }, () => [submission()])
  const twice = Array.from({ length: 11 }, () => [failed(), submission()])
  expect(taskGate([...once, ...twice]).avg_attempts_per_card).toBe(1.28)
})

test('a gate without submissions has no rates or means', () => {
  expect(taskGate([])).toStrictEqual({
    total_submitted: 0,
    total_success: 0,
    total_failed: 0,
    success_rate: null,
    avg_attempts_per_card: null,
    first_pass_rate: null,
    avg_scores: { confidence: null, completeness: null, drift: null },
    rejection_reasons: { confidence_below: 0, completeness_below: 0, drift_above: 0, reject_recommendation: 0 },
    cards_with_validation: 0,
  })
  expect(specGate([])).toMatchObject({ avg_attempts_per_spec: null, specs_with_validation: 0 })
})

test('the task gate counts every record; the first pass is decided by the oldest record of each card', () => {
  const plain = { confidence: null, completeness: null, drift: null }
  expect(
    taskGate([
      [
        failed({ violations: ['completeness 50 < min 80', 'drift 60 > max 50'], completeness: 50, drift: 60 }),
        submission(),
      ],
      [submission({ ...plain }), failed({ recommendation: 'reject', ...plain })],
      [submission({ confidence: 81 })],
    ]),
  ).toStrictEqual({
    total_submitted: 5,
    total_success: 3,
    total_failed: 2,
    success_rate: 60,
    avg_attempts_per_card: 1.67,
    first_pass_rate: 66.7,
    avg_scores: { confidence: 87, completeness: 76.7, drift: 26.7 },
    rejection_reasons: { confidence_below: 0, completeness_below: 1, drift_above: 1, reject_recommendation: 1 },
    cards_with_validation: 3,
  })
})

test.each([
  ['a success has none', { outcome: 'success', recommendation: 'reject', violations: ['ambiguity 9 > max 1'] }, []],
  [
    'a rejection without violations',
    { outcome: 'failed', recommendation: 'reject', violations: [] },
    ['reject_recommendation'],
  ],
  [
    'a failure without rejection or violations',
    { outcome: 'failed', recommendation: null, violations: [] },
    ['reject_recommendation'],
  ],
  [
    'a failure by score alone',
    { outcome: 'failed', recommendation: 'approve', violations: ['ambiguity 9 > max 1'] },
    ['ambiguity_above'],
  ],
  [
    'both',
    { outcome: 'failed', recommendation: 'reject', violations: ['completeness 1 < min 2', 'assertiveness 1 < min 2'] },
    ['completeness_below', 'assertiveness_below', 'reject_recommendation'],
  ],
])('reasons of a spec validation: %s', (_, record, reasons) => {
  expect(specReasonsOf(record)).toStrictEqual(reasons)
})

test('the evaluation aggregates count stale evaluations and both forms of a dimension', () => {
  const judged = (
    recommendation: string,
    overall_score: number,
    dimensions: Record<string, unknown> | null = null,
  ) => ({
    recommendation,
    overall_score,
    dimensions,
  })
  const groups = [
    [
      judged('approve', 80, { granularity: { score: 70 }, own: 3 }),
      judged('reject', 40, { granularity: { score: 75 } }),
    ],
    [judged('request_changes', 61, { granularity: { justification: 'none' } })],
    [],
  ]
  expect(specEvaluations(groups)).toStrictEqual({
    total_submitted: 3,
    total_approve: 1,
    total_reject: 1,
    total_request_changes: 1,
    approve_rate: 33.3,
    avg_overall_score: 60.3,
    avg_dimension_scores: { granularity: 72.5, own: 3 },
    specs_with_evaluation: 2,
  })
  expect(sprintEvaluations([])).toStrictEqual({
    total_submitted: 0,
    total_approve: 0,
    total_reject: 0,
    approve_rate: null,
    avg_overall_score: null,
    avg_dimension_scores: {},
    sprints_with_evaluation: 0,
  })
})

import { SprintEvaluationSubmit } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { dimensionsOf, type Evaluation, evaluationOf, gatePreview, withEvaluation } from './evaluations.ts'

const submitted = (fields: object = {}) =>
  SprintEvaluationSubmit.parse({ overall_score: 80, recommendation: 'approve', ...fields })

const evaluator = { id: 'e1', evaluator_id: 'a', evaluator_name: 'Ada', created_at: '2026-01-01T00:00:00.000Z' }

describe('dimensions', () => {
  test.each([
    ['none', {}, null],
    ['empty', { dimensions: {} }, {}],
    [
      'nested',
      { dimensions: { granularity: { score: 1, justification: 'x' } } },
      { granularity: { score: 1, justification: 'x' } },
    ],
    ['flat', { granularity: 7, granularity_justification: 'y' }, { granularity: { score: 7, justification: 'y' } }],
    ['only a score', { test_coverage_quality: 0 }, { test_coverage_quality: { score: 0, justification: '' } }],
    ['only a text', { dependency_justification: 'z' }, null],
    [
      'nested values take precedence over flat ones',
      {
        dimensions: { granularity: { score: 1 } },
        granularity: 9,
        granularity_justification: 'y',
        breakdown_completeness: 5,
      },
      { granularity: { score: 1, justification: 'y' }, breakdown_completeness: { score: 5, justification: '' } },
    ],
  ])('%s', (_, fields, dimensions) => expect(dimensionsOf(submitted(fields))).toEqual(dimensions))
})

test('a submission keeps undeclared and flat keys, but not those that the server sets', () => {
  const body = { granularity: 7, note: { a: [1] }, stale: true, id: 'x', evaluator_id: 'x', superseded_by: 'x' }
  expect(evaluationOf(submitted(body), evaluator)).toEqual({
    ...evaluator,
    evaluator_type: 'agent',
    overall_score: 80,
    overall_justification: '',
    recommendation: 'approve',
    dimensions: { granularity: { score: 7, justification: '' } },
    granularity: 7,
    note: { a: [1] },
    stale: false,
    superseded_by: null,
  })
})

const by = (evaluator_id: string, id: string, fields: object = {}): Evaluation =>
  evaluationOf(submitted(fields), { ...evaluator, id, evaluator_id })

test('a new evaluation makes earlier ones of its evaluator stale', () => {
  const first = withEvaluation([by('b', 'e0')], by('a', 'e1'))
  const third = withEvaluation(withEvaluation(first, by('a', 'e2')), by('a', 'e3'))
  expect(third.map(({ id, stale, superseded_by }) => [id, stale, superseded_by])).toEqual([
    ['e0', false, null],
    ['e1', true, 'e2'],
    ['e2', true, 'e3'],
    ['e3', false, null],
  ])
})

describe('the preview of the gate', () => {
  const open = { validation_threshold: null, skip_qualitative_validation: false }
  const reject = { recommendation: 'reject' }

  test.each([
    ['nothing', [], open, { can_close: false, approvals: 0, rejections: 0, average: null, threshold: 70 }],
    [
      'two approvals',
      [by('a', 'e1'), by('b', 'e2', { overall_score: 71 })],
      open,
      { can_close: true, approvals: 2, average: 75.5 },
    ],
    ['a rejection', [by('a', 'e1'), by('b', 'e2', reject)], open, { can_close: false, approvals: 1, rejections: 1 }],
    [
      'a threshold of 0',
      [by('a', 'e1', { overall_score: 0 })],
      { ...open, validation_threshold: 0 },
      { can_close: true, threshold: 0 },
    ],
    ['below', [by('a', 'e1')], { ...open, validation_threshold: 81 }, { can_close: false, average: 80, threshold: 81 }],
    ['dropped', [by('b', 'e2', reject)], { ...open, skip_qualitative_validation: true }, { can_close: true }],
  ])('%s', (_, evaluations, sprint, preview) => expect(gatePreview(evaluations, sprint)).toMatchObject(preview))
})

describe('valid submissions', () => {
  test.each([
    ['an undeclared key of 16 KiB', { note: 'x'.repeat(16_384 - '{"note":""}'.length) }, true],
    ['one byte more', { note: 'x'.repeat(16_385 - '{"note":""}'.length) }, false],
    ['a text of any length', { overall_justification: 'x'.repeat(100_000) }, true],
    ['a score of 101', { overall_score: 101 }, false],
    ['a score as text', { overall_score: '80' }, false],
    ['a flat score as text', { granularity: '80' }, false],
    ['a dimension without a score', { dimensions: { granularity: { justification: 'x' } } }, false],
    ['another recommendation', { recommendation: 'maybe' }, false],
  ])('%s: %s', (_, fields, isValid) =>
    expect(SprintEvaluationSubmit.safeParse({ overall_score: 80, recommendation: 'approve', ...fields }).success).toBe(
      isValid,
    ),
  )
})

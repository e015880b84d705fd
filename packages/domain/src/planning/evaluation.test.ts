import { describe, expect, test } from 'vitest'
import { allStale, evaluationRefusal, evaluationSummary, staleOf, twoDecimals, type Verdict } from './evaluation.ts'

const verdict = (recommendation: Verdict['recommendation'], overall_score = 80, stale = false): Verdict => ({
  id: `${recommendation} ${overall_score}`,
  evaluator_id: 'a',
  evaluator_name: 'Ada',
  overall_score,
  recommendation,
  stale,
})

const refusal = (evaluations: readonly Verdict[], threshold: number | null) =>
  evaluationRefusal(evaluations, threshold, 'spec')

describe('the evaluation gate', () => {
  test.each([
    ['nothing', [], null, 'EVALUATION_REQUIRED'],
    ['only a request for changes', [verdict('request_changes')], null, 'EVALUATION_REQUIRED'],
    ['a stale approval', [verdict('approve', 90, true)], null, 'EVALUATION_REQUIRED'],
    ['a rejection and an approval', [verdict('approve'), verdict('reject')], null, 'EVALUATION_REJECTED'],
    ['a stale rejection', [verdict('approve'), verdict('reject', 10, true)], null, null],
    ['a mean of 69', [verdict('approve', 69)], null, 'EVALUATION_BELOW_THRESHOLD'],
    ['a mean of 70', [verdict('approve', 70)], null, null],
    ['a mean just below', [verdict('approve', 69), verdict('approve', 70)], 70, 'EVALUATION_BELOW_THRESHOLD'],
    ['threshold 0 and score 0', [verdict('approve', 0)], 0, null],
    [
      'a mean that would round up',
      [79, 80, 80].map(score => verdict('approve', score)),
      80,
      'EVALUATION_BELOW_THRESHOLD',
    ],
    ['an approval with low scores of others', [verdict('approve', 90), verdict('request_changes', 1)], 90, null],
  ] as const)('%s', (_, evaluations, threshold, code) => {
    expect((refusal(evaluations, threshold) as { code?: string } | null)?.code ?? null).toBe(code)
  })

  test('names the evaluators who rejected', () => {
    expect(refusal([verdict('reject', 30)], null)).toMatchObject({
      extra: {
        evaluators: [{ evaluation_id: 'reject 30', evaluator_id: 'a', evaluator_name: 'Ada', overall_score: 30 }],
      },
    })
  })

  test('gives average and threshold', () => {
    const scores = [50, 50, 51].map(score => verdict('approve', score))
    expect(refusal(scores, 60)).toMatchObject({ extra: { average: 50.33, threshold: 60 } })
  })
})

test('the standing counts evaluations that are not stale', () => {
  const standing = evaluationSummary([
    verdict('approve', 60),
    verdict('approve', 71),
    verdict('reject'),
    verdict('reject', 1, true),
  ])
  expect([standing.approvals.length, standing.rejections.length, standing.mean]).toEqual([2, 1, 65.5])
  expect(evaluationSummary([]).mean).toBeNull()
})

test('a new evaluation makes earlier ones of its evaluator stale, and a change of status makes all stale', () => {
  const other = { ...verdict('approve'), evaluator_id: 'b' }
  expect(staleOf([verdict('approve'), other], 'a').map(({ stale }) => stale)).toEqual([true, false])
  expect(allStale([verdict('approve'), other]).map(({ stale }) => stale)).toEqual([true, true])
})

test('scores are rounded to 2 decimals', () => expect([1 / 3, 66.666, 70].map(twoDecimals)).toEqual([0.33, 66.67, 70]))

import { expect, test } from 'vitest'
import { byTier, contradicting, decidingOf, type ProofResult } from './proof-results.ts'

const result = (tier: ProofResult['tier'], status: ProofResult['status'], hour: number): ProofResult => ({
  tier,
  tier_reason: 'run',
  status,
  at: `2026-11-20T0${hour}:00:00.000Z`,
  commit: null,
  repository_id: null,
  report_id: null,
  run_id: null,
  flaky: false,
  outdated: null,
})

const claimed = result('claimed', 'passed', 5)
const observed = result('observed', 'failed', 4)
const ci = result('ci', 'passed', 3)

test('the newest result of the tier that is asked for decides (evidence 7)', () => {
  const results = [ci, claimed, observed]
  expect(decidingOf({ results, required_tier: 'claimed' })).toBe(claimed)
  expect(decidingOf({ results, required_tier: 'observed' })).toBe(observed)
  expect(decidingOf({ results, required_tier: 'ci' })).toBe(ci)
})

test('where none reaches it, or what does is outdated, the one of the highest tier is told', () => {
  expect(decidingOf({ results: [claimed, observed], required_tier: 'ci' })).toBe(observed)
  const outdated = { ...ci, outdated: 'tests_changed' } as const
  expect(decidingOf({ results: [outdated, observed], required_tier: 'observed' })).toBe(observed)
  expect(decidingOf({ results: [], required_tier: 'ci' })).toBeUndefined()
})

test('a result of a higher tier that says otherwise is named, one of a lower tier is not', () => {
  expect(contradicting({ results: [claimed, observed], required_tier: 'claimed' })).toBe(observed)
  expect(contradicting({ results: [claimed, observed], required_tier: 'observed' })).toBeUndefined()
  expect(contradicting({ results: [claimed, ci], required_tier: 'claimed' })).toBeUndefined()
  expect(byTier([claimed, observed, ci])).toEqual([ci, observed, claimed])
})

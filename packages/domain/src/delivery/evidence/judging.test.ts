import { expect, test } from 'vitest'
import { lowestOf } from '../../planning/proof/tiers.ts'
import type { ReportScenario } from '../../schema/contents.ts'
import { ignoredBecause, mergedTests, outcomeOf, snippetOf } from './judging.ts'

const part = (fields: Partial<ReportScenario> = {}): ReportScenario => ({
  tests: 1,
  passed: 1,
  failed: 0,
  skipped: 0,
  flaky: false,
  cases: ['a'],
  matched: ['a'],
  failure: null,
  file: null,
  name: 'a',
  ...fields,
})

test.each([
  ['all passed', ['a'], part(), 'passed', []],
  ['named by a test alone', [], part({ matched: [] }), 'passed', []],
  ['one failed', ['a'], part({ tests: 2, failed: 1 }), 'failed', []],
  ['one skipped', ['a'], part({ tests: 2, skipped: 1 }), 'incomplete', []],
  ['a pattern without a test', ['a', 'b'], part(), 'incomplete', ['b']],
] as const)('%s', (_, patterns, tests, result, unmatched) => {
  expect(outcomeOf(patterns, tests)).toEqual({ result, unmatched })
})

test('shards are taken together', () => {
  const both = mergedTests([part(), part({ cases: ['b'], matched: ['b'], flaky: true })])
  expect(both).toMatchObject({ tests: 2, passed: 2, cases: ['a', 'b'], matched: ['a', 'b'], flaky: true })
  expect(outcomeOf(['a', 'b'], both).result).toBe('passed')
  expect(snippetOf(both)).toBe('2 passed, 0 failed, 0 skipped')
})

test.each([
  ['in_progress', false, true, false, null],
  ['in_progress', false, false, true, null],
  ['in_progress', false, false, false, 'other_branch'],
  ['done', false, true, false, null],
  ['done', false, false, true, 'other_branch'],
  ['draft', false, true, true, 'spec_status'],
  ['approved', true, true, true, 'archived'],
] as const)('a spec in %s', (status, archived, onDefault, isOwn, reason) => {
  expect(ignoredBecause({ status, archived, onDefault, isOwn })).toBe(reason)
})

test('a run is worth what the least of its reports is', () => {
  expect(lowestOf([{ tier: 'ci' }, { tier: 'claimed' }, { tier: 'person' }])).toEqual({ tier: 'claimed' })
})

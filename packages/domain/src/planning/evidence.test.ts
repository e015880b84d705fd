import { describe, expect, test } from 'vitest'
import { evidenceOf, evidenceRequired, missingEvidence } from './evidence.ts'

const run = { last_run_at: '2026-01-01', output_snippet: 'ok' }

describe('the evidence that a status needs', () => {
  test.each([
    ['draft', null, []],
    ['ready', null, []],
    ['automated', null, ['test_file_path', 'test_function']],
    ['automated', { test_file_path: 'a.test.ts', test_function: ' ' }, ['test_function']],
    ['automated', { test_file_path: 'a.test.ts', test_function: 'adds' }, []],
    ['passed', null, ['last_run_at', 'output_snippet or test_run_id']],
    ['passed', { last_run_at: '2026-01-01', output_snippet: '' }, ['output_snippet or test_run_id']],
    ['passed', run, []],
    ['failed', { last_run_at: '2026-01-01', test_run_id: '7' }, []],
    ['failed', { last_run_at: 7, test_run_id: '7' }, ['last_run_at']],
  ])('%s with %j', (status, evidence, missing) => expect(missingEvidence({ status, evidence })).toEqual(missing))
})

describe('the evidence that counts', () => {
  test.each([
    [run, { test_run_id: '1' }, run],
    [{}, run, run],
    [{ last_run_at: null, test_run_id: null }, run, run],
    [null, run, run],
    [undefined, null, null],
  ])('of %j and %j', (evidence, latest_evidence, counts) => {
    expect(evidenceOf({ status: 'passed', evidence: evidence ?? null, latest_evidence })).toEqual(counts)
  })
})

test('the refusal lists every scenario', () => {
  const missing = [{ scenario_id: 's1', status: 'passed', required: ['last_run_at'] }]
  expect(evidenceRequired(missing)).toMatchObject({ code: 'TEST_EVIDENCE_REQUIRED', extra: { missing } })
})

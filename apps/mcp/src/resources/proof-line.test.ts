import { expect, test } from 'vitest'
import { proofLine } from './proof-line.ts'

const proof: NonNullable<Parameters<typeof proofLine>[0]> = {
  status: 'proven',
  tier: 'ci',
  tier_reason: 'ci_key',
  at: '2026-11-28T10:00:00.000Z',
  commit: `1a2b3c4${'0'.repeat(33)}`,
  repository_id: null,
  report_id: null,
  run_id: null,
  flaky: false,
  stale: false,
  stale_reason: null,
  newer: [],
  scenarios: { total: 0, passed: 0, failed: 0, at_tier: 0 },
  contradicted: null,
  waived: [],
  done_tier: null,
}

const now = Date.parse('2026-11-28T12:30:00.000Z')

test.each([
  ['nothing where there is none', null, undefined],
  ['tier, outcome, commit and age', {}, 'ci, passed at 1a2b3c4, 2 h ago'],
  [
    'the first commit that is newer',
    {
      stale: true,
      stale_reason: 'newer_commit',
      newer: [{ sha: `5d6e7f8${'0'.repeat(33)}`, title: 'Later', repository_id: 'r' }],
    },
    'ci, passed at 1a2b3c4, 2 h ago; stale: 5d6e7f8 is newer',
  ],
  [
    'a commit that nobody told of',
    { stale: true, stale_reason: 'unknown_commit' },
    'ci, passed at 1a2b3c4, 2 h ago; stale: 1a2b3c4 is unknown',
  ],
  [
    'a result without a commit',
    { stale: true, stale_reason: 'no_commit', commit: null, status: 'failing', flaky: true },
    'ci, failed, 2 h ago; flaky; stale: no commit was given',
  ],
  ['minutes', { at: '2026-11-28T12:29:01.000Z' }, 'ci, passed at 1a2b3c4, 0 min ago'],
  ['days', { at: '2026-11-20T12:00:00.000Z', waived: ['proof'] }, 'ci, passed at 1a2b3c4, 8 days ago; waived: proof'],
  ['that there is none', { status: 'none', tier: null, at: null, commit: null }, 'none'],
] as const)('says %s', (_, change, line) => {
  expect(proofLine(change === null ? null : ({ ...proof, ...change } as typeof proof), now)).toBe(line)
})

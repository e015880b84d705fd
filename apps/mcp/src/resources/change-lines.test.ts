import { expect, test } from 'vitest'
import { changeLines } from './change-lines.ts'

type Change = Parameters<typeof changeLines>[0][number]

const checks = { state: 'none' as const, total: 0, failing: [] }
const change = (fields: Partial<Change>): Change => ({ state: 'open', title: 'T', checks, ...fields }) as Change
const figures = { files_changed: 7, additions: 120, deletions: 30 }

const commits = ['a', 'b', 'c', 'd'].map(digit =>
  change({ kind: 'commit', sha: digit.repeat(40), title: `Add ${digit}`, state: 'merged' }),
)

test('branches, pull requests, figures and the last three commits, in this order (git 10)', () => {
  const request = change({
    kind: 'pull_request',
    number: 12,
    title: 'Export "all"\n# heading',
    draft: false,
    review: { decision: 'approved', approvals: 1, requests: 0 },
    checks: { state: 'failing', total: 2, failing: ['unit'] },
    merge_commit: 'e'.repeat(40),
  })
  expect(changeLines([...commits, request, change({ kind: 'branch', name: 'spe-1' })], figures)).toEqual([
    '- branch "spe-1": open',
    String.raw`- pull request #12 "Export \"all\"\u000a# heading": open, approved, checks failing: "unit", merged as eeeeeeeeeeee`,
    '- 7 files, +120 -30',
    '- commit aaaaaaaaaaaa "Add a": merged',
    '- commit bbbbbbbbbbbb "Add b": merged',
    '- commit cccccccccccc "Add c": merged',
  ])
})

test('no more lines than have room', () => {
  const many = Array.from({ length: 20 }, (_, index) => change({ kind: 'branch', name: `branch-${index}`.repeat(20) }))
  expect(changeLines(many, { ...figures, files_changed: null }).join('\n').length).toBeLessThanOrEqual(600)
})

import { expect, test } from 'vitest'
import { reportOfChange } from './report-of-change.ts'

const pullRequest = (body: string | null) => ({ title: 'SPE-1 Add the export', body, name: 'pull request #12' })

test('title and text are the conclusion, and lines give the shares with their reasons (git 7)', () => {
  const body = 'It writes CSV.\n\nCompleteness: 90 – PDF is missing\nDrift: 5% - another library\nCheck: npm test'
  expect(reportOfChange(pullRequest(body), false)).toEqual({
    conclusion: `SPE-1 Add the export\n\n${body}`,
    completeness: 90,
    completeness_justification: 'PDF is missing',
    drift: 5,
    drift_justification: 'another library',
    check: { how: 'npm test' },
  })
})

test.each([
  ['more than all', 'Completeness: 101 – why'],
  ['no number', 'Completeness: most of it'],
  ['in code', '```\nCompleteness: 90 – why\n```'],
  ['quoted', '> Completeness: 90 – why'],
  ['in a comment', '<!--\nCompleteness: 90 – why\n-->'],
])('a share is none that is %s', (_, body) => {
  expect(reportOfChange(pullRequest(body), false)).not.toHaveProperty('completeness')
})

test('a share without a reason asks for one still', () => {
  expect(reportOfChange(pullRequest('Completeness: 90'), false)).toMatchObject({
    completeness: 90,
    completeness_justification: '',
  })
})

test('the check of a small change is the change itself where no line says another one', () => {
  expect(reportOfChange(pullRequest(null), true)).toEqual({
    conclusion: 'SPE-1 Add the export',
    check: { how: 'pull request #12' },
  })
  expect(reportOfChange(pullRequest('check: by hand'), true).check).toEqual({ how: 'by hand' })
})

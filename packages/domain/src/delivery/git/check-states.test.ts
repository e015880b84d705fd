import { expect, test } from 'vitest'
import { countedChecks, isNamed, summaryOf } from './check-states.ts'

test.each([
  ['test', 'test', true],
  ['test', 'a test', false],
  ['test', 'ci::test', true],
  ['ci::*', 'ci::test', true],
  ['ci*', 'ci::test', false],
  ['ci**', 'ci::test', true],
  ['ci::*::unit', 'ci::linux::unit', true],
  ['**unit', 'ci::linux::unit', true],
  ['a*b*c', 'aXbXbXc', true],
  ['a*b*c', 'aXbXbXd', false],
  ['\\*', '*', true],
  ['\\*', 'x', false],
  ['Test', 'test', false],
])('%s names %s: %s', (pattern, name, expected) => {
  expect(isNamed(pattern, name)).toBe(expected)
})

const check = (name: string, state: 'success' | 'failure' | 'pending' | 'cancelled', more: object = {}) =>
  ({ name, state, kind: 'check_run', suite: null, ...more }) as const

test('one failure is a failure; what is cancelled is not green (git 3)', () => {
  expect(summaryOf([])).toEqual({ state: 'none', total: 0, failing: [] })
  expect(summaryOf([check('a', 'success'), check('b', 'pending')]).state).toBe('pending')
  expect(summaryOf([check('b', 'cancelled'), check('a', 'failure'), check('c', 'pending')])).toEqual({
    state: 'failing',
    total: 3,
    pending: 1,
    failing: ['a', 'b'],
  })
})

test('a suite counts only where nothing that ran in it is told (git 2)', () => {
  const all = [
    check('test', 'success', { suite: '1' }),
    check('CI', 'failure', { suite: '1', kind: 'workflow_run' }),
    check('Other', 'failure', { suite: '2', kind: 'workflow_run' }),
    check('suite', 'failure', { suite: '2', kind: 'check_suite' }),
  ]
  expect(countedChecks(all, []).map(({ name }) => name)).toEqual(['test', 'Other'])
})

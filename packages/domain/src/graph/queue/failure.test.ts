import { expect, test } from 'vitest'
import { parseJson, toJson } from '../../lib/json.ts'
import { afterFailure, attemptOf, backoffMs, ClaimTimeout, ProcessEnded } from './failure.ts'

const nowMs = Date.parse('2026-01-01T00:00:00.000Z')

test.each([
  [1, 2],
  [2, 4],
  [5, 32],
  [8, 256],
  [9, 300],
  [20, 300],
])('after %i attempts the next follows %i s later', (attempts, seconds) =>
  expect(backoffMs(attempts)).toBe(seconds * 1000),
)

test('after a failed attempt below the limit, the entry waits and keeps the error', () => {
  const failed = afterFailure({ attempts: 0, errors: toJson([]) }, new TypeError('no list'), {
    nowMs,
    maxAttempts: 2,
    withTrace: false,
  })
  expect(failed).toMatchObject({
    dead: false,
    attempts: 1,
    last_error: 'TypeError: no list',
    next_retry_at: '2026-01-01T00:00:02.000Z',
  })
  expect(parseJson(failed.errors)).toEqual([
    {
      attempt: 1,
      occurred_at: '2026-01-01T00:00:00.000Z',
      error_type: 'TypeError',
      message: 'no list',
      traceback: null,
    },
  ])
  const dead = afterFailure(failed, new ClaimTimeout(), { nowMs, maxAttempts: 2, withTrace: false })
  expect(dead).toMatchObject({ dead: true, attempts: 2 })
  expect(parseJson(dead.errors).map(attempt => attempt.error_type)).toEqual(['TypeError', 'ClaimTimeout'])
})

test('an entry during which two processes ended is a dead letter, whatever failed in between (walls 3, rule 3)', () => {
  const after = (entry: Parameters<typeof afterFailure>[0], error: Error) =>
    afterFailure(entry, error, { nowMs, maxAttempts: 10, withTrace: false })
  const once = after({ attempts: 0, errors: toJson([]) }, new ProcessEnded())
  const between = after(once, new TypeError('no list'))
  expect([once.dead, between.dead]).toEqual([false, false])
  expect(after(between, new ProcessEnded())).toMatchObject({ dead: true, attempts: 3 })
})

test('long messages are cut, and traces are kept only on request', () => {
  const error = Object.assign(new Error('m'.repeat(600)), { name: 'N'.repeat(90) })
  const attempt = attemptOf(error, 1, '', true)
  expect([attempt.error_type.length, attempt.message.length]).toEqual([80, 500])
  expect(attempt.traceback!.length).toBeLessThanOrEqual(2_000)
  expect(attemptOf('plain', 1, '', false)).toMatchObject({ error_type: 'Error', message: 'plain', traceback: null })
})

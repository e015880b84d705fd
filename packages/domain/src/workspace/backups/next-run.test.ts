import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { nextRunAt } from './next-run.ts'

const hour = 3_600_000
const at = { hours: 2, minutes: 30 }

/** The next run as ISO 8601, from times as ISO 8601. */
const next = (schedule: Parameters<typeof nextRunAt>[0], last: string | undefined, failures: number, now: string) =>
  new Date(nextRunAt(schedule, last === undefined ? undefined : { at: last, failures }, Date.parse(now))).toISOString()

const zone = process.env.TZ

beforeEach(() => {
  process.env.TZ = 'Europe/Berlin'
})

afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

describe('the next backup', () => {
  test('is due at once where there was none, and an interval after the last', () => {
    expect(next({ everyMs: 24 * hour }, undefined, 0, '2026-03-01T10:00:00.000Z')).toBe('2026-03-01T10:00:00.000Z')
    expect(next({ everyMs: 0.5 * hour }, '2026-03-01T10:00:00.000Z', 0, '2026-03-01T10:01:00.000Z')).toBe(
      '2026-03-01T10:30:00.000Z',
    )
  })

  test.each([
    [1, '2026-03-01T10:01:00.000Z'],
    [2, '2026-03-01T10:05:00.000Z'],
    [3, '2026-03-01T10:15:00.000Z'],
    [4, '2026-03-01T11:00:00.000Z'],
    [50, '2026-03-01T11:00:00.000Z'],
  ])('is tried again after %i failures in a row', (failures, then) => {
    expect(next({ everyMs: 24 * hour }, '2026-03-01T10:00:00.000Z', failures, '2026-03-01T10:00:01.000Z')).toBe(then)
  })

  test('is never later because of a failure', () => {
    expect(next({ everyMs: hour / 2 }, '2026-03-01T10:00:00.000Z', 4, '2026-03-01T10:00:01.000Z')).toBe(
      '2026-03-01T10:30:00.000Z',
    )
  })

  test('waits for its time of day where there was none, and has it each day', () => {
    const daily = { everyMs: 24 * hour, at }
    expect(next(daily, undefined, 0, '2026-03-01T10:00:00.000Z')).toBe('2026-03-02T01:30:00.000Z')
    expect(next(daily, undefined, 0, '2026-03-01T00:10:00.000Z')).toBe('2026-03-01T01:30:00.000Z')
    expect(next(daily, '2026-03-02T01:30:00.004Z', 0, '2026-03-02T02:00:00.000Z')).toBe('2026-03-03T01:30:00.000Z')
  })

  test('has the time of day when clocks are changed, and after one that was late', () => {
    const daily = { everyMs: 24 * hour, at: { hours: 4, minutes: 0 } }
    expect(next(daily, '2026-03-28T03:00:00.001Z', 0, '2026-03-28T04:00:00.000Z')).toBe('2026-03-29T02:00:00.000Z')
    expect(next(daily, '2026-10-24T02:00:00.001Z', 0, '2026-10-24T04:00:00.000Z')).toBe('2026-10-25T03:00:00.000Z')
    expect(next(daily, '2026-05-02T17:00:00.000Z', 0, '2026-05-02T18:00:00.000Z')).toBe('2026-05-03T02:00:00.000Z')
  })

  test('counts whole days, and intervals of hours from the time of day on', () => {
    expect(next({ everyMs: 48 * hour, at }, '2026-03-02T01:30:00.004Z', 0, '2026-03-02T02:00:00.000Z')).toBe(
      '2026-03-04T01:30:00.000Z',
    )
    const each = { everyMs: 6 * hour, at }
    expect(next(each, '2026-03-02T01:30:00.004Z', 0, '2026-03-02T02:00:00.000Z')).toBe('2026-03-02T07:30:00.000Z')
    expect(next(each, '2026-03-02T22:00:00.000Z', 0, '2026-03-02T22:10:00.000Z')).toBe('2026-03-03T01:30:00.000Z')
  })

  test('is due at once where its time passed while the service was down', () => {
    const daily = { everyMs: 24 * hour, at }
    expect(Date.parse(next(daily, '2026-03-02T01:30:00.004Z', 0, '2026-03-09T12:00:00.000Z'))).toBeLessThan(
      Date.parse('2026-03-09T12:00:00.000Z'),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { always, dateOf, type Granularity, periodOf, periodStart, rangeOf, velocityWindow } from './periods.ts'
import { bucketsOf, meanCycle, sprintsWithin, trendOf, type VelocityEvent } from './velocity.ts'

const at = (text: string) => Date.parse(text)

test.each<[string, Granularity, string]>([
  ['2026-03-01T23:59:59.999Z', 'week', '2026-02-23'],
  ['2026-03-02T00:00:00.000Z', 'week', '2026-03-02'],
  ['2026-03-04T12:00:00.000Z', 'week', '2026-03-02'],
  ['2026-03-04T12:00:00.000Z', 'day', '2026-03-04'],
  ['1969-12-31T00:00:00.000Z', 'week', '1969-12-29'],
])('%s is in the %s of %s', (time, granularity, first) => {
  expect(dateOf(periodStart(at(time), granularity))).toBe(first)
})

test('a period contains each of its moments, and a week starts on a Monday', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('0001-01-08'), max: new Date('9999-12-31'), noInvalidDate: true }), date => {
      const start = periodStart(date.getTime(), 'week')
      expect(start <= date.getTime() && date.getTime() < start + 7 * 86_400_000).toBe(true)
      expect(new Date(start).getUTCDay()).toBe(1)
    }),
  )
})

describe('range', () => {
  test('from_date and to_date win over from and to', () => {
    expect(rangeOf({ from: 'a', from_date: 'b', to: 'd' })).toStrictEqual({ from: 'b', to: 'd' })
    expect(rangeOf({})).toStrictEqual(always)
  })

  test('refuses an end before the start, and accepts an equal one', () => {
    expect(() => rangeOf({ from: '2', to_date: '1' })).toThrow('starts at 2')
    expect(rangeOf({ from: '1', to: '1' })).toStrictEqual({ from: '1', to: '1' })
  })
})

const now = at('2026-03-04T12:00:00.000Z')
const days = (window: { starts: readonly number[] }) => window.starts.map(dateOf)

describe('window', () => {
  test('is 12 weeks or 30 days up to now, from the first day of the first period', () => {
    const weeks = velocityWindow('week', always, now)
    expect(weeks.starts).toHaveLength(12)
    expect(days(weeks).at(-1)).toBe('2026-03-02')
    expect(weeks).toMatchObject({ from: at('2025-12-15'), to: now })
    expect(velocityWindow('day', always, now).starts).toHaveLength(30)
  })

  test('goes back to a given start, at most a year', () => {
    const range = { from: '2026-02-18T10:00:00.000Z', to: null }
    const window = velocityWindow('week', range, now)
    expect(days(window)).toStrictEqual(['2026-02-16', '2026-02-23', '2026-03-02'])
    expect(window.from).toBe(at(range.from))
    expect(velocityWindow('week', { from: '2020-01-01T00:00:00.000Z', to: null }, now).starts).toHaveLength(52)
    expect(velocityWindow('day', { from: '2020-01-01T00:00:00.000Z', to: null }, now).starts).toHaveLength(365)
  })

  test('has as many periods as requested, the last one containing its end', () => {
    const window = velocityWindow('day', { from: null, to: '2026-03-03T23:59:59.999Z' }, now, 2)
    expect(days(window)).toStrictEqual(['2026-03-02', '2026-03-03'])
  })

  test('has one period when it ends before it starts', () => {
    expect(velocityWindow('week', { from: '2027-01-01T00:00:00.000Z', to: null }, now).starts).toHaveLength(1)
  })
})

test('both ends belong to the window, and events before its first period are not counted', () => {
  const window = velocityWindow('week', { from: '2026-02-25T00:00:00.000Z', to: '2026-03-03T00:00:00.000Z' }, now, 1)
  expect(periodOf(window, at('2026-02-26'))).toBeUndefined()
  expect(periodOf(window, at('2026-03-02'))).toBe(0)
  expect(periodOf(window, at('2026-03-03'))).toBe(0)
  expect(periodOf(window, at('2026-03-03') + 1)).toBeUndefined()
})

test('buckets count each series by period, with zeros for empty periods', () => {
  const window = velocityWindow('day', { from: '2026-03-02T00:00:00.000Z', to: '2026-03-04T00:00:00.000Z' }, now)
  const events: VelocityEvent[] = [
    { series: 'impl', at: '2026-03-02T00:00:00.000Z', count: 1 },
    { series: 'impl', at: '2026-03-02T23:59:59.999Z', count: 2 },
    { series: 'validation_bounce', at: '2026-03-04T00:00:00.000Z', count: 1 },
    { series: 'bug', at: '2026-03-01T23:59:59.999Z', count: 1 },
  ]
  const empty = { impl: 0, test: 0, bug: 0, validation_bounce: 0, spec_done: 0, sprint_done: 0 }
  expect(bucketsOf(window, events)).toStrictEqual([
    { day: '2026-03-02', ...empty, impl: 3 },
    { day: '2026-03-03', ...empty },
    { day: '2026-03-04', ...empty, validation_bounce: 1 },
  ])
})

const completions = (cards: number, time: number, milliseconds = 0) => ({
  card_type: 'normal',
  at: new Date(time).toISOString(),
  cards,
  milliseconds,
})

describe('trend', () => {
  const window = { granularity: 'day', from: 0, to: 100, starts: [] } as const
  test.each([
    [0, 0, 'stable'],
    [0, 1, 'up'],
    [1, 0, 'down'],
    [10, 11, 'stable'],
    [10, 12, 'up'],
    [10, 9, 'stable'],
    [10, 8, 'down'],
  ] as const)('%i, then %i, is %s', (first, second, trend) => {
    expect(trendOf(window, [completions(first, 49), completions(second, 50)])).toBe(trend)
  })
})

test('sprints count when they were in progress within the window', () => {
  const window = { granularity: 'day', from: at('2026-03-01'), to: at('2026-03-31'), starts: [] } as const
  const sprint = (status: string, created_at: string, completed_at: string | null = null) => ({
    status,
    created_at,
    completed_at,
  })
  expect(
    sprintsWithin(window, [
      sprint('active', '2026-03-31T00:00:00.000Z'),
      sprint('closed', '2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'),
      sprint('review', '2026-02-01T00:00:00.000Z'),
    ]),
  ).toBe(3)
  expect(
    sprintsWithin(window, [
      sprint('draft', '2026-03-01T00:00:00.000Z'),
      sprint('cancelled', '2026-03-01T00:00:00.000Z'),
      sprint('active', '2026-03-31T00:00:00.001Z'),
      sprint('closed', '2026-01-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'),
      // It was already closed when it was imported.
      sprint('closed', '2026-03-01T00:00:00.000Z'),
    ]),
  ).toBe(0)
})

test('the mean cycle is 0 when nothing was completed', () => {
  expect(meanCycle([])).toBe(0)
  expect(meanCycle([completions(1, 0, 3_600_000), completions(3, 0, 9_000_000)])).toBe(0.9)
})

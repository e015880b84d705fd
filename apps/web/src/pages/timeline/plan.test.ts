import { expect, test } from 'vitest'
import type { CardSummary } from '../../data/card-list.ts'
import { dateOf, dayOfDate, dayWords, ticksOf, todayOf } from './days.ts'
import { moved, planOf, stretched, type TimedSprint, within } from './plan.ts'

const today = dayOfDate('2026-11-28')
const spec = (id: string) => ({ id, ref: id.toUpperCase(), title: id, status: 'in_progress' })
const sprint = (id: string, start_date: string | null, end_date: string | null, fields: Partial<TimedSprint> = {}) => ({
  ...{ id, ref: id.toUpperCase(), spec_id: 'bread', title: id, status: 'active', start_date, end_date },
  ...{ cards_total: 4, cards_done: 1 },
  ...fields,
})
const card = (id: string, due_date: string | null, fields: Partial<CardSummary> = {}) =>
  ({ id, ref: id, title: id, status: 'started', spec_id: 'bread', sprint_id: null, due_date, ...fields }) as CardSummary

const options = { today, withDone: false, folded: new Set<string>() }

test('rows stand spec by spec, sprints before due cards, the earliest first; what is over is left out', () => {
  const sources = {
    specs: [spec('cake'), spec('bread'), spec('none')],
    sprints: [
      sprint('later', '2026-12-07', '2026-12-18'),
      sprint('first', '2026-11-23', '2026-12-04'),
      sprint('closed', '2026-11-02', '2026-11-13', { status: 'closed' }),
      sprint('undated', null, null),
    ],
    cards: [
      card('c1', '2026-12-01T00:00:00Z'),
      card('c2', '2026-11-20', { spec_id: 'cake' }),
      card('c3', '2026-12-24', { spec_id: null }),
      card('c4', '2026-12-02', { status: 'done' }),
    ],
    links: [],
  }
  const plan = planOf(sources, options)
  expect(plan.rows.map(({ id, isLate }) => [id, isLate])).toEqual([
    ['spec cake', false],
    ['card c2', true],
    ['spec bread', false],
    ['sprint first', false],
    ['sprint later', false],
    ['card c1', false],
    ['spec without-spec', false],
    ['card c3', false],
  ])
  expect(plan.rows[2]!.span).toEqual({ start: dayOfDate('2026-11-23'), end: dayOfDate('2026-12-18') })
  expect(plan.undated.map(({ id }) => id)).toEqual(['undated'])
  expect(planOf(sources, { ...options, folded: new Set(['spec bread']) }).rows.length).toBe(5)
  expect(planOf(sources, { ...options, withDone: true }).rows.length).toBe(10)
})

test('what waits is joined to what it waits for, where its sprint stands if it has no date; at odds where it ends before', () => {
  const sources = {
    specs: [spec('bread')],
    sprints: [sprint('first', '2026-11-23', '2026-12-04'), sprint('later', '2026-12-07', '2026-12-18')],
    cards: [
      card('due', '2026-12-10'),
      card('inFirst', null, { sprint_id: 'first' }),
      card('inLater', null, { sprint_id: 'later' }),
      card('nowhere', null),
    ],
    links: [
      { card_id: 'inLater', depends_on_id: 'inFirst' },
      { card_id: 'due', depends_on_id: 'inLater' },
      { card_id: 'due', depends_on_id: 'nowhere' },
    ],
  }
  expect(planOf(sources, options).links).toEqual([
    { from: 'sprint first', to: 'sprint later', isAtOdds: false },
    { from: 'sprint later', to: 'card due', isAtOdds: true },
  ])
})

test('an axis ends where no plan leads: what is beyond stands at its end', () => {
  const sources = { specs: [spec('bread')], sprints: [], cards: [card('c', '9999-01-01')], links: [] }
  const { range } = planOf(sources, options)
  expect(range.last - range.first).toBeLessThan(2_000)
  expect(within({ start: 0, end: 3_000_000 }, range)).toEqual({ start: range.first, end: range.last })
})

test('a span moves as a whole, and never ends before it starts', () => {
  const span = { start: 10, end: 14 }
  expect(moved(span, -3)).toEqual({ start: 7, end: 11 })
  expect(moved({ start: null, end: 5 }, 2)).toEqual({ start: null, end: 7 })
  expect(stretched(span, 'end', -9)).toEqual({ start: 10, end: 10 })
  expect(stretched(span, 'start', 9)).toEqual({ start: 14, end: 14 })
  expect(stretched({ start: 3, end: null }, 'end', 2)).toEqual({ start: 3, end: 5 })
})

test('days are the same everywhere, and are written with the year where it is another', () => {
  expect(dateOf(dayOfDate('2026-02-28T23:59:59Z') + 1)).toBe('2026-03-01')
  expect([dayWords(today, today), dayWords(today + 60, today)]).toEqual(['Nov 28', 'Jan 27, 2027'])
  expect(dateOf(todayOf(new Date(2026, 10, 28, 23, 30).getTime()))).toBe('2026-11-28')
})

test('an axis names months above days and weeks, years above months and quarters', () => {
  const range = { first: dayOfDate('2026-11-28'), last: dayOfDate('2027-01-05') }
  const words = (zoom: Parameters<typeof ticksOf>[1]) => {
    const { above, below } = ticksOf(range, zoom)
    return [above.map(({ label }) => label).join(' | '), below.map(({ label }) => label).join(' ')]
  }
  expect(words('weeks')).toEqual(['November 2026 | December 2026 | January 2027', '30 7 14 21 28 4'])
  expect(words('months')).toEqual(['2026 | 2027', 'Dec Jan'])
  expect(words('quarters')).toEqual(['2026 | 2027', 'Q1'])
  expect(words('days')[1]).toMatch(/^S 28 S 29 M 30 T 1 /)
})

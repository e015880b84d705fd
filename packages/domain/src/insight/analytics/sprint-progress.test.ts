import { expect, test } from 'vitest'
import type { WaitingCard } from './blockers.ts'
import { hoursLeftOf, type OpenCard, risksOf, scopeAt, scopeChangesOf, sprintPeriodsOf } from './sprint-progress.ts'

const day = (date: number, hour = 12) => new Date(Date.UTC(2026, 2, date, hour)).toISOString()
const cardOf = (id: string, status: WaitingCard['status'], moved: number) => ({
  id,
  status,
  moved_at: day(moved),
  came_at: day(1),
})

test('a card is in a sprint from when it was put in until it was taken out', () => {
  const card = cardOf('c', 'started', 1)
  const entry = (at: string, added: string[], removed: string[]) => ({ at, added, removed })
  expect(sprintPeriodsOf(card, true, [])).toEqual([{ came: day(1), left: null }])
  expect(sprintPeriodsOf(card, true, [entry(day(3), ['c', 'd'], [])])).toEqual([{ came: day(3), left: null }])
  const out = entry(day(5), [], ['c'])
  expect(sprintPeriodsOf(card, false, [entry(day(3), ['c'], []), out])).toEqual([{ came: day(3), left: day(5) }])
  expect(sprintPeriodsOf(card, true, [out, entry(day(7), ['c'], [])])).toEqual([
    { came: day(1), left: day(5) },
    { came: day(7), left: null },
  ])
})

test('an update of a card brings it into a sprint, takes it out of it, or does neither', () => {
  const update = (field: string, old: string | null, now: string | null) =>
    scopeChangesOf('s', {
      at: day(2),
      card_id: 'c',
      changes: [
        { field: 'title', old: 's', new: 's' },
        { field, old, new: now },
      ],
    })
  expect(update('sprint_id', null, 's')).toEqual([{ at: day(2), added: ['c'], removed: [] }])
  expect(update('sprint_id', 's', null)).toEqual([{ at: day(2), added: [], removed: ['c'] }])
  expect(update('sprint_id', 's', 'other')).toEqual([{ at: day(2), added: [], removed: ['c'] }])
  expect(update('spec_id', 's', null)).toEqual([])
})

test('a card that an update took out of a sprint counts until then', () => {
  const card = cardOf('c', 'started', 1)
  const changes = scopeChangesOf('s', {
    at: day(4),
    card_id: 'c',
    changes: [{ field: 'sprint_id', old: 's', new: null }],
  })
  const counts = scopeAt([day(3, 23), day(4, 23)], [card], new Set(), changes)
  expect(counts.map(({ scope }) => scope)).toEqual([1, 0])
})

test('the scope grows by what comes and shrinks by what leaves or is cancelled; what is done stays in it', () => {
  const cards = [cardOf('kept', 'started', 2), cardOf('done', 'done', 4), cardOf('cancelled', 'cancelled', 5)]
  const former = cardOf('left', 'not_started', 1)
  const changes = [
    { at: day(3), added: ['kept', 'left'], removed: [] },
    { at: day(6), added: [], removed: ['left'] },
  ]
  const members = new Set(cards.map(({ id }) => id))
  const counts = scopeAt(
    [day(2, 23), day(3, 23), day(4, 23), day(5, 23), day(6, 23)],
    [...cards, former],
    members,
    changes,
  )
  expect(counts.map(({ scope }) => scope)).toEqual([2, 4, 4, 3, 2])
  expect(counts.map(({ done }) => done)).toEqual([0, 0, 1, 1, 1])
})

test.each([
  ['without an end', day(1), null, day(20), null],
  ['long before its end', day(1), day(21), day(10), null],
  ['in its last quarter', day(1), day(21), day(17), 96],
  ['in the last two days of a short one', day(1), day(4), day(3), 24],
  ['after its end', day(1), day(21), day(22), -24],
])('the hours left of a sprint %s', (_, start, end, now, hours) => {
  expect(hoursLeftOf(start, end, now)).toBe(hours)
})

const open: OpenCard = {
  id: 'c',
  title: 'C',
  status: 'not_started',
  created_at: day(1),
  claimed: 0,
  refusals: 0,
}
const measures = { now: day(11), hoursLeft: null, p85: null }
const waits = {
  ...cardOf('c', 'not_started', 1),
  title: 'C',
  created_at: day(1),
  updated_at: day(1),
  blocking_id: 'b',
  blocking_ref: 'K-2',
  blocking_title: 'B',
  blocking_status: 'started',
} as const satisfies WaitingCard

test.each([
  ['nothing is wrong', open, [], measures, []],
  ['it waits for another', open, [waits], measures, ['dependency_blocked']],
  ['it is on hold', { ...open, status: 'on_hold' }, [], measures, ['on_hold']],
  ['it is older than most were', { ...open, status: 'started' }, [], { ...measures, p85: 239 }, ['ageing']],
  ['it is as old as most were', { ...open, status: 'started' }, [], { ...measures, p85: 240 }, []],
  ['it is old but not started', open, [], { ...measures, p85: 1 }, []],
  ['it was refused once', { ...open, refusals: 1 }, [], measures, []],
  ['it was refused twice', { ...open, refusals: 2 }, [], measures, ['refused']],
  ['nobody has it near the end', open, [], { ...measures, hoursLeft: 12 }, ['unclaimed']],
  ['somebody has it near the end', { ...open, claimed: 1 }, [], { ...measures, hoursLeft: 12 }, []],
] as const)('risks of a card when %s', (_, card, waiting, measured, types) => {
  expect(risksOf(card, waiting, measured).map(({ type }) => type)).toEqual(types)
})

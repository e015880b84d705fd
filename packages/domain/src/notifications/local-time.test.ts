import { describe, expect, test } from 'vitest'
import { digestDueAt, isQuiet, isTimeZone, localTime, quietUntil, type Weekday } from './local-time.ts'

const all: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const at = (text: string): number => Date.parse(text)

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Europe/Nowhere', false],
  ['+01:00', false],
  ['', false],
])('%s is a time zone: %s', (zone, expected) => {
  expect(isTimeZone(zone)).toBe(expected)
})

test('a moment is another time of the day elsewhere', () => {
  expect(localTime(at('2030-01-06T23:30:00Z'), 'Europe/Berlin')).toEqual({
    date: '2030-01-07',
    time: '00:30',
    day: 'mon',
  })
})

describe('quiet hours', () => {
  const night = { from: '22:00', to: '07:00', days: ['fri'] as Weekday[] }
  test.each<[string, boolean]>([
    ['2030-01-04T21:59:00Z', false],
    ['2030-01-04T22:00:00Z', true],
    ['2030-01-05T06:59:00Z', true],
    ['2030-01-05T07:00:00Z', false],
    ['2030-01-05T22:30:00Z', false],
    ['2030-01-04T06:00:00Z', false],
  ])('from Friday night to Saturday morning: %s is %s', (moment, quiet) => {
    expect(isQuiet(night, localTime(at(moment), 'UTC'))).toBe(quiet)
  })

  test('end by the clock where the person is', () => {
    const quiet = { from: '22:00', to: '07:00', days: all }
    expect(quietUntil(quiet, at('2030-01-05T23:10:30Z'), 'Europe/Berlin')).toBe(at('2030-01-06T06:00:00Z'))
  })

  test('that touch one another end after the last of them', () => {
    const quiet = { from: '00:00', to: '23:59', days: all }
    expect(quietUntil(quiet, at('2030-01-05T12:00:00Z'), 'UTC')).toBe(at('2030-01-05T23:59:00Z'))
  })
})

describe('a digest', () => {
  test.each([
    ['before the time, on that day', '08:00', '2030-01-04', '2030-01-05T07:59:30Z', '2030-01-05T08:00:00Z'],
    ['after it, on the next', '08:00', '2030-01-04', '2030-01-05T08:00:00Z', '2030-01-06T08:00:00Z'],
    ['where there never was one, on the next too', '08:00', null, '2030-01-05T10:00:00Z', '2030-01-06T08:00:00Z'],
    ['where a later time was set', '20:00', '2030-01-05', '2030-01-05T09:00:00Z', '2030-01-06T20:00:00Z'],
  ])('of what came %s', (_, digestAt, lastOn, came, due) => {
    expect(digestDueAt(digestAt, lastOn, at(came), 'UTC')).toBe(at(due))
  })

  test('of a time that the clock skips comes when it goes on', () => {
    // On 31 March 2030 in Berlin 02:00 is 03:00.
    const due = digestDueAt('02:30', '2030-03-30', at('2030-03-31T00:00:00Z'), 'Europe/Berlin')
    expect(due).toBe(at('2030-03-31T01:00:00Z'))
  })

  test('of a time that comes twice is one', () => {
    // On 27 October 2030 in Berlin 03:00 is 02:00 again.
    const due = digestDueAt('02:30', '2030-10-27', at('2030-10-27T00:31:00Z'), 'Europe/Berlin')
    expect(due).toBe(at('2030-10-28T01:30:00Z'))
  })
})

import { expect, test } from 'vitest'
import { morningOf, snoozeTimes } from './snooze-times.ts'

/** A local time in November 2026; the 23rd and the 30th are Mondays. */
const here = (day: number, hour = 0, minute = 0) => new Date(2026, 10, day, hour, minute)

test.each([
  [
    'in the morning of a Wednesday',
    here(25, 8, 20),
    [
      ['later', here(25, 11, 30)],
      ['tomorrow', here(26, 9)],
      ['week', here(30, 9)],
    ],
  ],
  [
    'on a Monday',
    here(23, 10),
    [
      ['later', here(23, 13)],
      ['tomorrow', here(24, 9)],
      ['week', here(30, 9)],
    ],
  ],
  [
    'in the evening',
    here(25, 18, 5),
    [
      ['tomorrow', here(26, 9)],
      ['week', here(30, 9)],
    ],
  ],
  [
    'on a Sunday, where tomorrow is next week',
    here(29, 12),
    [
      ['later', here(29, 15)],
      ['tomorrow', here(30, 9)],
    ],
  ],
])('%s an item may be snoozed until', (_, now, times) => {
  expect(snoozeTimes(now).map(({ name, at }) => [name, at])).toEqual(times)
})

test('a day that was chosen begins in the morning, and today a moment later', () => {
  expect(morningOf(here(27), here(25, 12))).toEqual(here(27, 9))
  expect(morningOf(here(25), here(25, 12))).toEqual(here(25, 15))
})

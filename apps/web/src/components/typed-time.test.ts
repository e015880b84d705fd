import { describe, expect, test } from 'vitest'
import { typedTime, writtenTime } from './typed-time.ts'

describe('a time', () => {
  test.each([
    ['de-DE', '19:30', '07:00'],
    ['en-GB', '19:30', '07:00'],
    ['en-US', '7:30 PM', '7:00 AM'],
    ['en-CA', '7:30 p.m.', '7:00 a.m.'],
    ['en-AU', '7:30 pm', '7:00 am'],
  ])('is written in the form of %s, and read from it', (locale, evening, morning) => {
    expect(writtenTime(locale, '19:30')).toBe(evening)
    expect(writtenTime(locale, '07:00')).toBe(morning)
    expect(typedTime(evening)).toBe('19:30')
    expect(typedTime(morning)).toBe('07:00')
  })

  test.each([
    ['7', '07:00'],
    ['7 Uhr', '07:00'],
    ['19 Uhr 30', '19:30'],
    ['19.30', '19:30'],
    ['19h30', '19:30'],
    ['1930', '19:30'],
    ['730', '07:30'],
    [' 7:05 ', '07:05'],
    ['7p', '19:00'],
    ['730 PM', '19:30'],
    ['12 am', '00:00'],
    ['12:30 p.m.', '12:30'],
    ['0:00', '00:00'],
    ['23:59', '23:59'],
  ])('may be typed as %j', (text, time) => {
    expect(typedTime(text)).toBe(time)
  })

  test.each(['', 'am', 'noon', '24:00', '7:60', '7:5', '7:005', '12345', '7:30:00', '13 pm', '0 am', '7 xm'])(
    'is not %j',
    text => {
      expect(typedTime(text)).toBeUndefined()
    },
  )
})

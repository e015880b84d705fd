import { describe, expect, test } from 'vitest'
import { dayHere, formIn, inForm, midnightOf, typedDay, writtenDay } from './typed-day.ts'

const today = '2026-11-28'

describe('a day', () => {
  test.each([
    ['de', '31.12.2026'],
    ['en-US', '12/31/2026'],
    ['en-GB', '31/12/2026'],
    ['sv', '2026-12-31'],
    ['hu', '2026. 12. 31.'],
    ['fa', '2026/12/31'],
  ])('is written in the form of %s, and read from it', (locale, text) => {
    const form = formIn(locale)
    expect(writtenDay(form, '2026-12-31').replace(/\u200f/g, '')).toBe(text)
    expect(typedDay(form, text, today)).toBe('2026-12-31')
  })

  test.each([
    ['de', '3.2.27', '2027-02-03'],
    ['de', '3.2.', '2026-02-03'],
    ['de', ' 3 / 2 / 2027 ', '2027-02-03'],
    ['de', '2027-02-03', '2027-02-03'],
    ['en-US', '2/3/27', '2027-02-03'],
    ['en-US', '2-3', '2026-02-03'],
    ['sv', '2-3', '2026-02-03'],
    ['en-US', '2028/2/29', '2028-02-29'],
  ])('may be typed shorter in %s: %s', (locale, text, day) => {
    expect(typedDay(formIn(locale), text, today)).toBe(day)
  })

  test.each([
    '',
    '3',
    '31.2.2026',
    '29.2.2027',
    '1.13.2026',
    '1.1.202',
    '1.1.20266',
    '1.2.3.4',
    'tomorrow',
    '3. May 2026',
  ])('is not %j', text => {
    expect(typedDay(formIn('de'), text, today)).toBeUndefined()
  })

  test('has a pattern', () => {
    const letters = { year: 'JJJJ', month: 'MM', day: 'TT' }
    expect(inForm(formIn('de'), part => letters[part])).toBe('TT.MM.JJJJ')
  })

  test('is the same where the person is', () => {
    expect(dayHere(midnightOf('2026-03-01'))).toBe('2026-03-01')
  })
})

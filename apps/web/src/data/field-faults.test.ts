import { forms } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { refusals as german } from '../messages/de/refusals.ts'
import { refusals as english } from '../messages/en/refusals.ts'
import { fieldFault } from './field-faults.ts'

const msg = 'In the words of the service'
const loc = ['body', 'title']

type Kind = keyof typeof english.faults

describe('a fault of a field', () => {
  test.each(Object.keys(english.faults) as Kind[])('of the kind %s tells its limit', type => {
    expect(fieldFault({ loc, msg, type, ctx: { limit: 3 } })).toBe(`Title: ${english.faults[type](3)}`)
    expect(fieldFault({ loc, msg, type })).toBe(`Title: ${msg}`)
    expect(german.faults[type](3)).not.toBe(english.faults[type](3))
  })

  test.each(Object.entries(english.kinds))('of the kind %s is told so', (type, words) => {
    expect(fieldFault({ loc, msg, type, ctx: { expected: ['a'] } })).toBe(`Title: ${words}`)
  })

  test.each(Object.entries(english.formats))('in the form of %s is told so', (format, words) => {
    expect(fieldFault({ loc, msg, type: 'value_error', ctx: { format } })).toBe(`Title: ${words}`)
  })

  test.each([undefined, { format: 'regex' }, { format: 'constructor' }])(
    'that only the service has words for keeps them: %j',
    ctx => {
      expect(fieldFault({ loc, msg, type: 'value_error', ctx })).toBe(`Title: ${msg}`)
      expect(german.invalid(msg)).toContain(msg)
    },
  )

  test.each([
    [['body', 'quiet_hours', 'from'], 'Quiet hours From: '],
    [['body', 'paths', 0], 'Files 1: '],
    [['body', 'rules', 0, 'title'], 'rules.0.title: '],
    [['body', 'constructor'], 'constructor: '],
    [['body'], ''],
    [undefined, ''],
  ])('at %j names the field as forms do, where they do', (at, name) => {
    expect(fieldFault({ loc: at, msg, type: 'missing' })).toBe(`${name}is required`)
  })
})

test('every form that the service asks for has words', () => {
  expect(Object.keys(english.formats)).toEqual(expect.arrayContaining(Object.keys(forms)))
})

test('every word is said in both languages', () => {
  for (const part of ['kinds', 'formats'] as const)
    for (const [name, words] of Object.entries(english[part]))
      expect(Object.entries(german[part])).not.toContainEqual([name, words])
  expect(Object.keys(german.fields)).toEqual(Object.keys(english.fields))
})

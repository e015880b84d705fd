import { expect, test } from 'vitest'
import { z } from 'zod'
import { AgentUpdate } from './features/agents.ts'
import { forms, inForm, matching } from './forms.ts'
import { issueItems } from './issues.ts'
import { Moment } from './shared.ts'

const formsOf = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value)
  return issueItems('body', schema, error?.issues ?? [], value).map(({ type, msg, ctx }) => [type, msg, ctx?.format])
}

test('a check names the form that a value has not, whether a function or a pattern makes it', () => {
  expect(
    formsOf(
      z.string().refine(() => false, inForm('web_address')),
      'x',
    ),
  ).toEqual([['value_error', forms.web_address, 'web_address']])
  expect(formsOf(z.string().regex(...matching('time_of_day', /^8$/)), '9')).toEqual([
    ['value_error', forms.time_of_day, 'time_of_day'],
  ])
})

test('those of the contract do', () => {
  expect(formsOf(AgentUpdate, { handle: 'Not one', name: ' ' })).toEqual([
    ['value_error', forms.not_blank, 'not_blank'],
    ['value_error', forms.handle, 'handle'],
  ])
  expect(formsOf(Moment, 'soon')).toEqual([['value_error', forms.datetime, 'datetime']])
})

test('a pattern without a name is told as one', () => {
  expect(formsOf(z.string().regex(/^a$/), 'b')).toMatchObject([['value_error', expect.anything(), 'regex']])
})

import { type ErrorCode, errorExamples, errorStatus, registry } from '@specboard/contract'
import { expect, test } from 'vitest'
import { CodedError, errorExample, errorsOf, HTTPValidationError } from './errors.ts'
import { exampleOf } from './example.ts'

const codes = Object.keys(errorStatus) as ErrorCode[]

test.each(codes)('%s has an example with a message', code => {
  const example = errorExample(code)
  expect(CodedError.parse(example)).toStrictEqual(example)
  expect(example.detail).toMatchObject({ error: code, message: expect.stringMatching(/[.)]$/) })
})

test('a refusal of invalid input has an example', () => {
  expect(HTTPValidationError.safeParse(exampleOf(HTTPValidationError, 'answer')).success).toBe(true)
})

test('lists each code under its own status', () => {
  for (const operation of registry)
    for (const [status, found] of errorsOf(operation))
      for (const code of found) expect([code, errorStatus[code]]).toStrictEqual([code, status])
})

test('the example of a code has the members that the code promises', () => {
  expect(errorExamples.ARCHIVED).toMatchObject({ entity_type: 'spec', restore: expect.any(String) })
  expect(errorExamples.SPEC_LOCKED).toMatchObject({ spec_status: 'validated', fields: expect.any(Array) })
})

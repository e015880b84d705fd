import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SecretKey } from '@specboard/domain'
import { afterAll, expect, test } from 'vitest'
import { agreedBy, inputRequired, Question } from './confirming.ts'

const folder = mkdtempSync(join(tmpdir(), 'specboard-confirming-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const secretKey = SecretKey.of(folder)
const subject = { kind: 'spec', ref: 'SPE-1', title: 'A', parts: {}, mark: 'm' }
const accepted = { confirm: { action: 'accept', content: { confirm: true } } }

/** A call at a time, as a question is bound to it. */
const callAt = (ms: number) => {
  const context = {
    service: { environment: { clock: () => ms, secretKey } },
    caller: { id: 'a' },
    view: { boardId: undefined },
  }
  return { context, tool: 'delete_spec', args: { spec_id: 'SPE-1' } }
}

const question = new Question([{ operation: 'delete_spec', subject }])
const state = inputRequired(question, callAt(1_000)).requestState

test.each([
  ['at its end', 301_000, ['m']],
  ['after it', 301_001, undefined],
])('a question holds for 5 minutes: %s', (_, ms, marks) => {
  expect(agreedBy({ state, responses: accepted }, callAt(ms))?.marks).toEqual(marks)
})

test('a call without a state was not asked about', () => {
  expect(agreedBy({ state: undefined, responses: accepted }, callAt(1_000))).toBeUndefined()
})

test('a question names ten calls, and counts the others', () => {
  const many = new Question(Array.from({ length: 12 }, () => ({ operation: 'delete_spec', subject })))
  expect(JSON.stringify(inputRequired(many, callAt(0)))).toContain('2 more. Go ahead?')
})

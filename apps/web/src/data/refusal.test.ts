import { ClientError } from '@specboard/client/calls'
import { expect, test } from 'vitest'
import { refusalOf } from './refusal.ts'

const refused = (status: number, detail: unknown, next: unknown[] = []) =>
  refusalOf(new ClientError('move_card', status, detail, next))

test('a 409 tells why, and each thing that is missing with its reference', () => {
  const detail = {
    error: 'DEPENDENCIES_NOT_MET',
    message: 'Two cards are open.',
    details: [{ id: '1', ref: 'WS-2', title: 'Log in', status: 'in_progress' }],
  }
  expect(refused(409, detail)).toEqual({
    code: 'DEPENDENCIES_NOT_MET',
    message: 'It waits for one other card.',
    missing: [{ text: 'Log in (In progress)', ref: 'WS-2' }],
    heldBy: [],
    nextActions: [],
  })
})

test('a 409 of changes and checks leads to their pages at the forge, and to no other address', () => {
  const item = (name: string, url: string | null) => ({ sha: 'a', name, state: 'failure', url, reason: 'failing' })
  const missing = [item('lint', 'https://ci.example/1'), item('unit', null), item('type', 'ftp://ci.example')]
  expect(refused(409, { error: 'CHECKS_NOT_GREEN', message: 'No.', missing }).missing).toEqual([
    { text: 'lint (failing)', ref: null, url: 'https://ci.example/1' },
    { text: 'unit (failing)', ref: null },
    { text: 'type (failing)', ref: null },
  ])
})

test('a 403 tells who may', () => {
  const detail = { error: 'FORBIDDEN', message: 'No.', permission: 'CARDS_MOVE', held_by: [{ id: '1', name: 'QA' }] }
  expect(refused(403, detail)).toMatchObject({ message: 'No.', missing: [], heldBy: ['QA'] })
})

test('a 422 tells each field', () => {
  const items = [{ loc: ['body', 'title'], msg: 'Field required', type: 'missing' }]
  expect(refused(422, items).missing).toEqual([{ text: 'Title: is required', ref: null }])
})

test('next actions are taken from beside the detail', () => {
  const action = { name: 'claim_card', arguments: { card_id: '1' }, reason: 'Claim it' }
  expect(refused(409, { message: 'x' }, [action, { name: 1 }]).nextActions).toEqual([action])
})

test('what is no refusal is told in plain words', () => {
  expect(refusalOf(new TypeError('Failed to fetch')).message).toMatch(/^The service is not responding/)
})

import { expect, test } from 'vitest'
import type { ClaimRecord } from '../../planning/summaries/claims.ts'
import type { Status } from '../card-record/record.ts'
import {
  endsOnEntering,
  moveRefusal,
  protectedFields,
  protectedFieldsFor,
  recordsRenewal,
  stageOf,
  unclaimableIn,
  validationRefusal,
} from './rules.ts'

const statuses: readonly Status[] = [
  'not_started',
  'started',
  'in_progress',
  'validation',
  'on_hold',
  'done',
  'cancelled',
]

test('a card in validation is claimed for validation, any other for work', () => {
  expect(statuses.filter(status => stageOf(status) === 'validation')).toEqual(['validation'])
})

test('a card that is done, cancelled or on hold cannot be claimed', () => {
  const refused = statuses.filter(status => unclaimableIn(status) !== null)
  expect(refused).toEqual(['on_hold', 'done', 'cancelled'])
  expect(unclaimableIn('on_hold')?.detail).toMatchObject({ error: 'INVALID_STATE', status: 'on_hold' })
})

test.each([
  ['work', ['not_started', 'validation', 'on_hold', 'done', 'cancelled']],
  ['validation', ['not_started', 'started', 'in_progress', 'on_hold', 'done', 'cancelled']],
] as const)('a claim for %s ends on entering %j', (stage, ends) => {
  const others = statuses.filter(status => stageOf(status) !== 'validation' || stage === 'work')
  expect(others.filter(to => endsOnEntering(stage, to))).toEqual(ends)
})

const claim = (stage: ClaimRecord['stage']): ClaimRecord => ({
  card_id: 'card',
  card_ref: 'BRD-1',
  agent_id: 'holder',
  agent_name: 'Holder',
  agent_kind: 'agent',
  session: null,
  stage,
  note: null,
  claimed_at: '2026-02-01T00:00:00.000Z',
  renewed_at: '2026-02-01T00:00:00.000Z',
  expires_at: '2026-02-01T00:30:00.000Z',
})

const requester = (id: string, mayUpdate = false) => ({
  caller: { id, present: false },
  boardId: 'board',
  access: { allows: (name: string) => mayUpdate && name === 'BOARDS_UPDATE' },
})

test.each<[string, ClaimRecord | null, ReturnType<typeof requester>, boolean]>([
  ['nobody has claimed it', null, requester('other'), false],
  ['another agent works on it', claim('work'), requester('other'), true],
  ['another agent validates it', claim('validation'), requester('other'), true],
  ['the caller works on it', claim('work'), requester('holder'), false],
  ['the caller may change the board', claim('work'), requester('other', true), false],
])('a card when %s (crew 2.5)', (_, standing, caller, isRefused) => {
  const refusal = moveRefusal(standing, caller)
  expect(refusal?.detail ?? null).toEqual(
    isRefused ? expect.objectContaining({ error: 'CLAIMED', claim: standing, board_id: 'board' }) : null,
  )
  expect(protectedFieldsFor(standing, caller)).toEqual(isRefused ? protectedFields : [])
})

test.each<[string, ClaimRecord | null, ReturnType<typeof requester>, boolean]>([
  ['nobody has claimed the card', null, requester('other'), false],
  ['another agent validates it', claim('validation'), requester('other'), true],
  ['another agent works on it', claim('work'), requester('other'), false],
  ['the caller validates it', claim('validation'), requester('holder'), false],
  ['the caller may change the board', claim('validation'), requester('other', true), false],
])('a validation when %s', (_, standing, caller, isRefused) => {
  expect(validationRefusal(standing, caller)?.code ?? null).toBe(isRefused ? 'CLAIMED' : null)
})

test.each([
  ['2026-02-01T00:04:59.999Z', false],
  ['2026-02-01T00:05:00.000Z', true],
])('at %s, the activity tells of a renewal: %s', (now, tells) => {
  expect(recordsRenewal('2026-02-01T00:00:00.000Z', now)).toBe(tells)
})

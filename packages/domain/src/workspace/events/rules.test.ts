import { type Permission, permissionNames } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { Access } from '../../kernel/access/access.ts'
import { unreadableActions } from '../../kernel/change-actions.ts'
import { cursorOf, type Event, mayRead, reachedBy, readableKinds, withoutUnreadable } from './rules.ts'

/** A reader whose base lacks some permissions, without any access of a board that could limit it further. */
const without = (...missing: readonly Permission[]) =>
  new Access(
    { allowed: new Set(permissionNames.filter(name => !missing.includes(name))), deniedBy: () => 'preset' },
    null,
  )

const event = (fields: Partial<Event>): Event => ({
  sequence: 1,
  id: 'e',
  board_id: 'b',
  entity_type: 'card',
  entity_id: 'c',
  ref: 'BRD-1',
  action: 'card_updated',
  actor_id: 'a',
  actor_name: 'A',
  actor_type: 'agent',
  actor_via: 'key',
  at: '2026-01-01T00:00:00.000Z',
  version: null,
  changes: null,
  details: null,
  ...fields,
})

test.each<[Permission, Event['entity_type']]>([
  ['IDEATIONS_READ', 'ideation'],
  ['REFINEMENTS_READ', 'refinement'],
  ['SPECS_READ', 'spec'],
  ['SPRINTS_READ', 'sprint'],
  ['CARDS_READ', 'card'],
  ['ARCHITECTURE_READ', 'architecture_design'],
  ['GUIDELINES_READ', 'guideline'],
])('without %s the events about a %s are left out', (permission, kind) => {
  expect(readableKinds(without())).toHaveLength(8)
  expect(readableKinds(without(permission))).toEqual(readableKinds(without()).filter(other => other !== kind))
})

test('without CHANGES_READ nothing is told of changes, nor which of them moved a card (git 9)', () => {
  expect(mayRead(event({ action: 'pull_request_merged' }), without())).toBe(true)
  expect(mayRead(event({ action: 'pull_request_merged' }), without('CHANGES_READ'))).toBe(false)
  expect(unreadableActions(without())).toEqual([])
  expect(unreadableActions(without('CHANGES_READ'))).toContain('automation_refused')
  const moved = event({ action: 'card_moved', details: { to_status: 'done', cause: { change_id: 'x' } } })
  expect(withoutUnreadable(moved, without())).toEqual(moved)
  expect(withoutUnreadable(moved, without('CHANGES_READ')).details).toEqual({ to_status: 'done' })
})

test('without BOARDS_READ no event is read', () => {
  expect(readableKinds(without('BOARDS_READ'))).toEqual([])
})

describe('contents', () => {
  const contents = {
    details: { card_id: 'c', from_status: 'a', to_status: 'b', text: 'secret' },
    changes: [
      { field: 'status', old: 'a', new: 'b' },
      { field: 'text', old: null, new: 'secret' },
    ],
  }

  test.each<[Permission, Partial<Event>]>([
    ['CARDS_READ_ACTIVITY', { entity_type: 'card' }],
    ['IDEATIONS_READ_HISTORY', { entity_type: 'ideation', action: 'ideation_updated' }],
    ['REFINEMENTS_READ_HISTORY', { entity_type: 'refinement', action: 'refinement_updated' }],
    ['SPECS_READ_HISTORY', { entity_type: 'spec', action: 'spec_updated' }],
    ['SPRINTS_READ_HISTORY', { entity_type: 'sprint', action: 'sprint_updated' }],
    ['QA_READ', { action: 'question_added' }],
    ['QA_READ', { entity_type: 'ideation', action: 'ideation_question_answered' }],
    ['KNOWLEDGE_READ', { action: 'knowledge_updated' }],
    ['KNOWLEDGE_READ', { entity_type: 'spec', action: 'spec_knowledge_deleted' }],
    ['COMMENTS_READ', { action: 'comment_added' }],
    ['ATTACHMENTS_READ', { action: 'attachment_uploaded' }],
    ['CARDS_READ_VALIDATIONS', { action: 'validation_submitted' }],
    ['SPECS_READ_VALIDATIONS', { entity_type: 'spec', action: 'spec_validation_submitted' }],
    ['SPECS_READ_VALIDATIONS', { entity_type: 'spec', action: 'spec_evaluation_submitted' }],
    ['SPRINTS_READ_EVALUATIONS', { entity_type: 'sprint', action: 'sprint_evaluation_submitted' }],
    ['AGENTS_READ', { entity_type: 'board', action: 'agent_granted' }],
  ])('without %s only ids and statuses stay of %o', (permission, about) => {
    const whole = event({ ...contents, ...about })
    expect(withoutUnreadable(whole, without())).toEqual(whole)
    expect(withoutUnreadable(whole, without(permission))).toEqual({
      ...whole,
      details: { card_id: 'c', from_status: 'a', to_status: 'b' },
      changes: [{ field: 'status', old: 'a', new: 'b' }],
    })
  })

  test('of a design stay only as far as its parent may be read', () => {
    const whole = event({ entity_type: 'architecture_design', details: { parent_type: 'spec', title: 'secret' } })
    expect(withoutUnreadable(whole, without('CARDS_READ')).details).toEqual(whole.details)
    expect(withoutUnreadable(whole, without('SPECS_READ')).details).toBeNull()
  })

  test.each<[Permission, string]>([
    ['CARDS_READ_CONCLUSIONS', 'conclusions'],
    ['CARDS_READ_VALIDATIONS', 'validations'],
  ])('without %s the change of %s is left out', (permission, field) => {
    const whole = event({ changes: [{ field }, { field: 'title' }] })
    expect(withoutUnreadable(whole, without(permission)).changes).toEqual([{ field: 'title' }])
  })
})

describe('a cursor', () => {
  test('from before entries that were archived is refused (work 5.1)', () => {
    const cursor = cursorOf({ position: 10, past: [] })
    expect(reachedBy(cursor, { first: 10, last: 20 })).toMatchObject({ position: 10 })
    expect(() => reachedBy(cursor, { first: 11, last: 20 })).toThrow(/archived/)
  })

  test('names what was reached, and which later entries were there before, until they are passed', () => {
    const reached = { position: 10, past: [12, 15] }
    expect(reachedBy(cursorOf(reached), { first: 0, last: 10 })).toEqual(reached)
    expect(reachedBy(cursorOf({ ...reached, position: 12 }), { first: 0, last: 20 })).toEqual({
      position: 12,
      past: [15],
    })
    expect(reachedBy(cursorOf({ ...reached, position: 15 }), { first: 0, last: 20 })).toEqual({
      position: 15,
      past: [],
    })
  })

  test.each([
    ['of another service', cursorOf({ position: 11, past: [] })],
    ['with entries that were passed', Buffer.from('events 10 9').toString('base64url')],
    ['of another form', Buffer.from('events 10 x').toString('base64url')],
  ])('%s is refused', (_, cursor) => {
    expect(() => reachedBy(cursor, { first: 0, last: 10 })).toThrow(expect.objectContaining({ code: 'INVALID_CURSOR' }))
  })
})

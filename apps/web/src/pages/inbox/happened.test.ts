import { expect, test } from 'vitest'
import type { BoardEvent } from '../../data/stream.ts'
import { activityCounts } from './happened.ts'

let sequence = 0

const event = (fields: Partial<BoardEvent>): BoardEvent => ({
  sequence: ++sequence,
  id: `event ${sequence}`,
  board_id: 'board',
  entity_type: 'card',
  entity_id: 'card',
  ref: 'SPE-1',
  action: 'card_updated',
  actor_type: 'agent',
  actor_via: 'key',
  actor_id: 'ada',
  actor_name: 'Ada',
  at: '2026-11-29T10:00:00.000Z',
  version: null,
  changes: null,
  details: null,
  ...fields,
})

test('what others did is counted, a card that is done once', () => {
  const done = { action: 'card_moved', details: { to_status: 'done' } }
  const { all, sums } = activityCounts(
    [
      event(done),
      event(done),
      event({ ...done, entity_id: 'other' }),
      event({ action: 'validation_submitted' }),
      event({ action: 'spec_question_answered', entity_type: 'spec' }),
      event({ action: 'question_added' }),
      event({ action: 'sprint_moved', entity_type: 'sprint', details: { to_status: 'closed' } }),
      event({ action: 'automation_refused' }),
      event({}),
      event({ ...done, actor_id: 'me', entity_id: 'mine' }),
      event({ ...done, imported: true, entity_id: 'imported' }),
    ],
    'me',
  )
  expect(all).toBe(9)
  expect(Object.fromEntries(sums)).toEqual({ done: 2, verdicts: 1, answers: 1, questions: 1, closed: 1, refused: 1 })
})

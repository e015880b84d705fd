import { expect, test } from 'vitest'
import type { Event } from '../events/rules.ts'
import { bodyOf, messageOf, pingOf } from './messages.ts'

const event: Event = {
  sequence: 7,
  id: 'e',
  board_id: 'b',
  entity_type: 'card',
  entity_id: 'c',
  ref: 'SPE-14',
  action: 'card_moved',
  actor_id: 'a',
  actor_name: 'Ann <ann@example.com>',
  actor_type: 'agent',
  actor_via: 'key',
  at: '2030-01-01T00:00:00.000Z',
  version: null,
  changes: null,
  details: { from_status: 'started', to_status: 'in_progress' },
}

test('a message has the type, the time and the event', () => {
  expect(JSON.parse(bodyOf('standard', messageOf(event)))).toEqual({
    type: 'card_moved',
    timestamp: '2030-01-01T00:00:00.000Z',
    data: event,
  })
})

test('a ping names its webhook', () => {
  expect(JSON.parse(bodyOf('standard', pingOf('w', event.at)))).toEqual({
    type: 'ping',
    timestamp: event.at,
    data: { webhook_id: 'w' },
  })
})

test.each<[Partial<Event>, string]>([
  [{}, 'Ann &lt;ann@example.com&gt;: card moved SPE-14 (started → in_progress)'],
  [{ actor_name: 'Ann', details: { title: 'R&D' } }, 'Ann: card moved SPE-14 "R&amp;D"'],
  [
    { actor_name: 'Ann', action: 'card_updated', details: null, changes: [{ field: 'title' }, { field: 'labels' }] },
    'Ann: card updated SPE-14 (title, labels)',
  ],
  [
    { actor_name: 'Ann', ref: null, entity_type: 'architecture_design', details: null },
    'Ann: card moved architecture design',
  ],
])('Slack gets a short text of %j', (fields, text) => {
  expect(JSON.parse(bodyOf('slack', messageOf({ ...event, ...fields })))).toEqual({ text })
})

test('a text for Slack is cut', () => {
  const { text } = JSON.parse(bodyOf('slack', messageOf({ ...event, actor_name: 'x'.repeat(1_000) })))
  expect(text).toHaveLength(300)
  expect(JSON.parse(bodyOf('slack', pingOf('w', event.at)))).toEqual({ text: 'Specboard: the webhook works.' })
})

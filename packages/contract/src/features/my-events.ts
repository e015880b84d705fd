/** The events of all boards that the caller sees, on one connection (board 2). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { CommaList } from '../shared.ts'
import { BoardEvent, Concerns, EventEntity, eventsAtOnce, wait_ms } from './board-events.ts'

const MyEvents = z
  .object({
    events: z.array(BoardEvent),
    cursor: z.string().describe('the next after'),
    more: z.boolean(),
  })
  .meta({ id: 'MyEvents' })

export const stream_my_events = operation({
  name: 'stream_my_events',
  method: 'GET',
  path: '/api/v1/me/events/stream',
  permission: '-',
  extension: true,
  title: 'Stream my events',
  description: 'Follow all boards that you see, from now on or after a cursor.',
  query: {
    board_id: CommaList.optional().describe('comma list'),
    after: z.string().max(200).optional().describe('a cursor'),
    limit: eventsAtOnce,
    entity_type: EventEntity.optional(),
    action: CommaList.optional().describe('a,b'),
    concerns: Concerns.optional(),
    wait_ms,
  },
  kind: 'events',
  response: MyEvents,
  errors: ['NOT_FOUND', 'INVALID_CURSOR'],
  effect: 'live',
  keywords: ['activity', 'log', 'what changed', 'follow', 'watch', 'poll', 'live', 'sse', 'all boards'],
})

/** The events of a board, in order (work 5). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import {
  actor,
  Change,
  CommaList,
  commaListOf,
  FreeObject,
  Id,
  Imported,
  Moment,
  PrincipalKind,
  Ref,
  Timestamp,
} from '../shared.ts'
import { toolHints } from '../tool-hints.ts'

/** The kinds of record that events are about. */
export const EventEntity = z.enum([
  'board',
  'ideation',
  'refinement',
  'spec',
  'sprint',
  'card',
  'architecture_design',
  'guideline',
])

export const BoardEvent = z
  .object({
    sequence: z.int(),
    id: Id,
    board_id: Id,
    entity_type: EventEntity,
    entity_id: Id,
    ref: Ref.nullable(),
    action: z.string(),
    ...actor,
    actor_id: z.string(),
    actor_name: z.string(),
    at: Timestamp,
    version: z.int().nullable(),
    changes: z.array(Change).nullable(),
    details: FreeObject.nullable(),
    imported: Imported,
  })
  .meta({ id: 'BoardEvent' })

/** The events of one record, as one line (crew 5.6). */
export const EventDigest = z
  .object({
    ref: Ref.nullable(),
    title: z.string().nullable(),
    from: z.string().nullable().describe('first status among these'),
    to: z.string().nullable(),
    who: z.array(z.string()),
    events: z.int().min(1),
  })
  .meta({ id: 'EventDigest' })

/** Restricts events to the caller's records: those it has claimed or reserved, is assigned to, or asked or answered on. */
export const Concerns = z.enum(['me'])

export const BoardEvents = z
  .object({
    events: z.array(BoardEvent),
    last_sequence: z.int(),
    more: z.boolean(),
    archived_up_to: z.int().optional(),
  })
  .meta({ id: 'BoardEvents' })

/** Events, or one line a record if a digest is requested. */
const ListedEvents = z
  .object({
    events: z.array(BoardEvent.or(EventDigest)),
    last_sequence: z.int(),
    more: z.boolean(),
    archived_up_to: z.int().optional(),
  })
  .meta({ id: 'ListedEvents' })

/** Whether an entry of a list is an event, and not a digest line. */
export const isEvent = (
  listed: z.output<typeof BoardEvent> | z.output<typeof EventDigest>,
): listed is z.output<typeof BoardEvent> => 'sequence' in listed

/** How long a call waits for a first event. */
export const wait_ms = z.int().min(0).max(25_000).default(0).describe('0-25000')

/** The longest that a call waits for work, ms (crew 5.1). */
export const maxWaitMs = 600_000

/** How long a call waits for work (crew 5.1). */
export const longWait = z.int().min(0).max(maxWaitMs).default(0).describe(`0-${maxWaitMs}`)

/** The maximum number of events in one response. */
export const eventsAtOnce = z.int().min(1).max(500).default(100).describe('1-500')

const filters = () => ({
  limit: eventsAtOnce.clone(),
  entity_type: EventEntity.optional(),
  entity_id: Id.optional(),
  action: CommaList.optional().describe('a,b'),
  actor_id: z.string().optional(),
  actor_type: commaListOf(PrincipalKind.options).optional().describe('comma list'),
})

/** Filters of the stream: the matching tool is list_board_events, which lists them. */
const quiet = filters()
for (const schema of Object.values(quiet)) toolHints.add(schema, { hidden: true })

const after = z.int().min(0)

const keywords = ['activity', 'log', 'changes', 'follow', 'poll', 'watch', 'what happened']

export const list_board_events = operation({
  name: 'list_board_events',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/events',
  permission: 'BOARDS_READ',
  extension: true,
  title: 'List board events',
  description: 'List what happened on a board, oldest first unless order=desc.',
  params: { board_id: Id },
  query: {
    after: after.default(0),
    before: after.optional().describe('sequence'),
    since: Moment.optional(),
    until: Moment.optional(),
    order: z.enum(['asc', 'desc']).default('asc').describe('desc: pass last_sequence as before'),
    ...filters(),
    concerns: Concerns.optional(),
    digest: z.boolean().default(false).describe('a line per record, newest first'),
    wait_ms,
  },
  response: ListedEvents,
  errors: [],
  effect: 'live',
  keywords,
})

export const stream_board_events = operation({
  name: 'stream_board_events',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/events/stream',
  permission: 'BOARDS_READ',
  extension: true,
  title: 'Stream board events',
  description: 'Follow a board.',
  params: { board_id: Id },
  query: { after: after.optional(), ...quiet, wait_ms },
  kind: 'events',
  response: BoardEvents,
  errors: [],
  effect: 'live',
  keywords: [...keywords, 'live', 'sse'],
})

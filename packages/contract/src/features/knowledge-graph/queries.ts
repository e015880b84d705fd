import { z } from 'zod'
import { operation } from '../../operation.ts'
import { FreeObject, Id, Timestamp } from '../../shared.ts'

const board = { board_id: Id }

export const query_kg_cypher = operation({
  name: 'query_kg_cypher',
  method: 'POST',
  path: '/api/v1/kg/boards/{board_id}/cypher',
  permission: 'KG_QUERY',
  title: 'Query graph',
  description: 'Run a read-only Cypher query on the graph of a board.',
  params: board,
  query: {
    cypher: z.string().optional(),
    max_rows: z.int().optional().describe('1-10000, default 1000'),
    timeout_ms: z.int().optional().describe('1000-30000, default 5000'),
  },
  body: z
    .object({
      cypher: z.string(),
      params: FreeObject.exactOptional().describe('values of $parameters'),
      max_rows: z.int().exactOptional().describe('1-10000, default 1000'),
      timeout_ms: z.int().exactOptional().describe('1000-30000, default 5000'),
    })
    .meta({ id: 'KgCypherQuery' }),
  bodyOptional: true,
  bodyFreeBeside: 'cypher',
  response: z
    .object({
      columns: z.array(z.string()),
      rows: z.array(z.array(z.unknown())),
      row_count: z.int(),
      truncated: z.boolean(),
      execution_time_ms: z.number(),
    })
    .meta({ id: 'KgCypherResult' }),
  errors: ['UNSAFE_CYPHER', 'INVALID_CYPHER', 'RATE_LIMITED', 'CYPHER_TIMEOUT', 'QUERY_TOO_LARGE'],
  effect: 'read',
  keywords: ['graph', 'cypher', 'match'],
})

const progress = z
  .object({
    event_id: z.string(),
    event_type: z.literal('kg.queue.progress'),
    created_at: Timestamp,
    payload: z.object({
      pending: z.int(),
      claimed: z.int(),
      done: z.int(),
      failed: z.int(),
      paused: z.int(),
      total: z.int(),
      processed: z.int(),
    }),
  })
  .meta({ id: 'KgQueueProgress' })

export const stream_kg_events = operation({
  name: 'stream_kg_events',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/events',
  permission: 'KG_READ',
  title: 'Stream graph events',
  description: 'Get what happened to a graph since an event or time.',
  params: board,
  query: {
    since: z.union([z.string(), z.int()]).optional().describe('event id or time; absent: only what is new'),
    wait_ms: z.int().min(0).max(25_000).default(0).describe('0-25000: how long to wait for the first'),
  },
  kind: 'events',
  response: z
    .object({
      events: z.array(
        z
          .object({
            event_id: Id,
            id: z.int(),
            event_type: z.string(),
            board_id: Id,
            session_id: Id.nullable(),
            created_at: Timestamp,
            payload: FreeObject,
          })
          .meta({ id: 'KgEvent' }),
      ),
      last_event_id: z.int(),
      progress,
    })
    .meta({ id: 'KgEvents' }),
  errors: ['VALIDATION_ERROR'],
  effect: 'live',
  keywords: ['graph', 'live', 'watch', 'sse'],
})

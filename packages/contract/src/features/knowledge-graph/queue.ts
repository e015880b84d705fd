import { z } from 'zod'
import { operation } from '../../operation.ts'
import { always } from '../../permission-rules.ts'
import { Id, paging, Ref, Timestamp } from '../../shared.ts'
import { KgArtifactType } from './model.ts'

const board = { board_id: Id }
const keywords = ['graph', 'consolidation', 'queue']

/** An entry of the consolidation queue (knowledge-graph 4.1). */
export const KgQueueEntry = z
  .object({
    id: Id,
    board_id: Id,
    artifact_id: Id,
    artifact_type: KgArtifactType,
    priority: z.enum(['high', 'normal', 'low']),
    source: z.string(),
    status: z.enum(['pending', 'claimed', 'done', 'failed', 'paused']),
    triggered_at: Timestamp,
    triggered_by_event: z.string().nullable(),
    claimed_by_session_id: Id.nullable(),
    claimed_at: Timestamp.nullable(),
    claim_timeout_at: Timestamp.nullable(),
    next_retry_at: Timestamp.nullable(),
    attempts: z.int(),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'KgQueueEntry' })

export const list_kg_pending = operation({
  name: 'list_kg_pending',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/pending',
  permission: 'KG_READ',
  title: 'List graph queue',
  description: 'List the records that wait to go into the graph.',
  params: board,
  query: paging,
  response: z.object({ entries: z.array(KgQueueEntry), count: z.int() }).meta({ id: 'KgQueue' }),
  errors: [],
  keywords: [...keywords, 'pending', 'waiting'],
})

const level = z
  .object({
    pending: z.int(),
    in_progress: z.int(),
    done: z.int(),
    failed: z.int(),
    paused: z.int(),
    not_queued: z.int(),
  })
  .meta({ id: 'KgPendingLevel' })

/** A record in the tree of pending work, with the records below it. */
export const KgPendingNode = z
  .object({
    id: Id,
    ref: Ref,
    type: KgArtifactType,
    card_type: z.string().exactOptional(),
    title: z.string(),
    status: z.enum(['pending', 'claimed', 'paused', 'failed', 'done', 'not_queued']),
    queued_age_seconds: z.int().nullable(),
    retry_count: z.int(),
    layer: z.string().nullable(),
    last_error: z.string().nullable(),
    queue_entry_id: Id.nullable(),
    get children() {
      return z.array(KgPendingNode)
    },
  })
  .meta({ id: 'KgPendingNode' })

export const get_kg_pending_tree = operation({
  name: 'get_kg_pending_tree',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/pending/tree',
  permission: 'KG_READ',
  reads: 'board',
  title: 'Get graph queue tree',
  description: 'Get the records of a board with their state in the graph.',
  params: board,
  query: { depth: z.int().min(1).max(5).default(5).describe('1-5') },
  response: z
    .object({
      board_id: Id,
      depth: z.int(),
      total_pending: z.int(),
      levels: z.object({ ideations: level, refinements: level, specs: level, sprints: level, cards: level }),
      tree: z.array(KgPendingNode),
    })
    .meta({ id: 'KgPendingTree' }),
  errors: [],
  keywords: [...keywords, 'pending', 'progress'],
})

export const retry_kg_pending = operation({
  name: 'retry_kg_pending',
  method: 'POST',
  path: '/api/v1/kg/boards/{board_id}/pending/{queue_entry_id}/retry',
  permission: 'KG_ADMIN',
  asks: always('KG_ADMIN_BACKFILL'),
  title: 'Retry graph entry',
  description: 'Retry a queue entry or dead letter.',
  params: { ...board, queue_entry_id: Id },
  query: { recursive: z.boolean().default(false).describe('with everything below the record') },
  status: 202,
  response: z
    .object({
      board_id: Id,
      queue_entry_id: Id,
      recursive: z.boolean(),
      reopened_count: z.int(),
      reopened_ids: z.array(Id),
    })
    .meta({ id: 'KgRetried' }),
  errors: ['ENTRY_IN_PROGRESS'],
  keywords: [...keywords, 'again', 'dead letter'],
})

/** An entry that failed permanently (knowledge-graph 4.7). */
export const KgDeadLetter = z
  .object({
    id: Id,
    board_id: Id,
    artifact_type: KgArtifactType,
    artifact_id: Id,
    original_queue_id: Id.nullable(),
    attempts: z.int(),
    errors: z.array(
      z
        .object({
          attempt: z.int(),
          occurred_at: Timestamp,
          error_type: z.string(),
          message: z.string(),
          traceback: z.string().nullable(),
        })
        .meta({ id: 'KgAttempt' }),
    ),
    dead_lettered_at: Timestamp,
  })
  .meta({ id: 'KgDeadLetter' })

export const list_kg_dead_letters = operation({
  name: 'list_kg_dead_letters',
  method: 'GET',
  path: '/api/v1/kg/queue/dead-letter',
  permission: 'KG_READ',
  title: 'List dead letters',
  description: 'List the records that failed to go into the graph.',
  query: {
    board_id: Id,
    limit: z.int().min(1).max(200).default(50).describe('1-200'),
    offset: z.int().min(0).default(0),
  },
  response: z
    .object({ rows: z.array(KgDeadLetter), total: z.int(), limit: z.int(), offset: z.int() })
    .meta({ id: 'KgDeadLetters' }),
  errors: ['NOT_FOUND'],
  keywords: [...keywords, 'failed', 'error'],
})

export const get_kg_queue_health = operation({
  name: 'get_kg_queue_health',
  method: 'GET',
  path: '/api/v1/kg/queue/health',
  permission: 'KG_READ',
  title: 'Get graph queue health',
  description: 'Get depth, age and workers of the queue.',
  response: z
    .object({
      queue_depth: z.int(),
      oldest_pending_age_s: z.number(),
      claimed_count: z.int(),
      claimed_boards: z.array(Id),
      dead_letter_count: z.int(),
      claims_per_min_1m: z.int(),
      claims_per_min_5m: z.int(),
      alert_threshold: z.int(),
      alert_active: z.boolean(),
      alert_fired_total: z.int(),
      workers_active: z.int(),
      workers_idle: z.int(),
      workers_draining_count: z.int(),
      lock_retries_5m: z.int(),
    })
    .meta({ id: 'KgQueueHealth' }),
  errors: [],
  keywords: [...keywords, 'workers', 'backlog'],
})

import { z } from 'zod'
import { operation } from '../../operation.ts'
import { always } from '../../permission-rules.ts'
import { Id, Timestamp } from '../../shared.ts'

const board = { board_id: Id }
const keywords = ['graph', 'rebuild', 'historical']

export const start_kg_backfill = operation({
  name: 'start_kg_backfill',
  method: 'POST',
  path: '/api/v1/kg/boards/{board_id}/historical-consolidation/start',
  permission: 'KG_ADMIN',
  asks: always('KG_ADMIN_BACKFILL'),
  title: 'Start graph backfill',
  description: 'Queue every record of a board for the graph.',
  params: board,
  status: 202,
  otherStatus: 200,
  response: z
    .union([
      z.object({ status: z.literal('queueing'), board_id: Id, total_artifacts: z.int() }),
      z.object({ status: z.literal('already_in_progress'), board_id: Id }),
    ])
    .meta({ id: 'KgBackfillStarted' }),
  errors: [],
  keywords,
})

export const cancel_kg_backfill = operation({
  name: 'cancel_kg_backfill',
  method: 'POST',
  path: '/api/v1/kg/boards/{board_id}/historical-consolidation/cancel',
  permission: 'KG_ADMIN',
  asks: always('KG_ADMIN_BACKFILL'),
  title: 'Cancel graph backfill',
  description: 'Withdraw the waiting entries of a backfill.',
  params: board,
  response: z
    .object({ status: z.literal('cancelled'), board_id: Id, removed: z.int() })
    .meta({ id: 'KgBackfillCancelled' }),
  errors: [],
  effect: 'repeatable',
  keywords: [...keywords, 'stop'],
})

export const get_kg_backfill_progress = operation({
  name: 'get_kg_backfill_progress',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/historical-consolidation/progress',
  permission: 'KG_READ',
  title: 'Get backfill progress',
  description: 'Get the progress of the last board backfill.',
  params: board,
  response: z
    .object({
      enabled: z.boolean(),
      status: z.enum(['cancelled', 'in_progress', 'paused', 'completed_with_errors', 'completed', 'inactive']),
      total: z.int(),
      progress: z.int(),
      pending: z.int(),
      claimed: z.int(),
      paused: z.int(),
      failed: z.int(),
      stale: z.boolean(),
      started_at: Timestamp.nullable(),
      finished_at: Timestamp.nullable(),
    })
    .meta({ id: 'KgBackfillProgress' }),
  errors: [],
  keywords,
})

export const delete_board_kg = operation({
  name: 'delete_board_kg',
  method: 'DELETE',
  path: '/api/v1/kg/boards/{board_id}/kg',
  permission: 'KG_ADMIN',
  asks: always('KG_ADMIN_DELETE'),
  title: 'Delete board graph',
  description: 'Delete the graph of a board; its records stay.',
  params: board,
  confirm: true,
  errors: [],
  keywords: [...keywords, 'wipe', 'clear'],
})

export const migrate_kg_schema = operation({
  name: 'migrate_kg_schema',
  method: 'POST',
  path: '/api/v1/kg/{board_id}/migrate-schema',
  permission: 'KG_ADMIN',
  asks: always('KG_ADMIN_BACKFILL'),
  title: 'Migrate graph schema',
  description: 'Extract every record of a board anew into the graph.',
  params: board,
  response: z
    .object({
      board_id: Id,
      migrated: z.boolean(),
      columns_added: z.record(z.string(), z.array(z.string())),
      errors: z.array(z.string()),
      duration_ms: z.number(),
      from_version: z.string(),
      to_version: z.string(),
      nodes_reindexed: z.int(),
      nodes_reembedded: z.int(),
    })
    .meta({ id: 'KgMigrated' }),
  errors: ['MIGRATION_RUNNING'],
  effect: 'destructive_once',
  keywords: [...keywords, 'upgrade', 'reindex'],
})

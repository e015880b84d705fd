import { z } from 'zod'
import { operation } from '../../operation.ts'
import { always } from '../../permission-rules.ts'
import { Id, Timestamp } from '../../shared.ts'
import { artifactTypes } from './model.ts'

const board = { board_id: Id }
const keywords = ['graph', 'consolidation']

/** The changes that one consolidation or boost made to the graph (knowledge-graph 8.1). */
export const KgSession = z
  .object({
    session_id: Id,
    board_id: Id,
    artifact_id: Id,
    artifact_type: z.enum([...artifactTypes, 'node']),
    agent_id: z.string(),
    started_at: Timestamp,
    committed_at: Timestamp,
    nodes_added: z.int(),
    nodes_updated: z.int(),
    nodes_superseded: z.int(),
    nodes_removed: z.int(),
    edges_added: z.int(),
    edges_removed: z.int(),
    missing_links: z.int(),
    summary_text: z.string(),
    content_hash: z.string().nullable(),
    undo_status: z.enum(['none', 'undone']),
    undone_at: Timestamp.nullable(),
    undone_by: z.string().nullable(),
  })
  .meta({ id: 'KgSession' })

export const list_kg_audit = operation({
  name: 'list_kg_audit',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/audit',
  permission: 'KG_AUDIT',
  title: 'List graph sessions',
  description: 'List what changed the graph of a board.',
  params: board,
  query: {
    limit: z.int().min(1).max(200).default(50).describe('1-200'),
    cursor: z.string().optional(),
  },
  response: z.object({ entries: z.array(KgSession), next_cursor: z.string().nullable() }).meta({ id: 'KgSessionPage' }),
  errors: ['INVALID_CURSOR'],
  keywords: [...keywords, 'audit', 'log'],
})

export const undo_kg_session = operation({
  name: 'undo_kg_session',
  method: 'POST',
  path: '/api/v1/kg/boards/{board_id}/audit/{session_id}/undo',
  permission: 'KG_ADMIN',
  asks: always('KG_ADMIN_DELETE'),
  title: 'Undo graph session',
  description: 'Take back what one session did to the graph.',
  params: { ...board, session_id: Id },
  query: { force: z.boolean().default(false).describe('also when later sessions build on it') },
  response: z
    .object({
      session_id: Id,
      status: z.literal('undone'),
      nodes_removed: z.int(),
      nodes_restored: z.int(),
      edges_removed: z.int(),
      edges_restored: z.int(),
      force_used: z.boolean(),
    })
    .meta({ id: 'KgUndone' }),
  confirm: true,
  errors: ['ALREADY_UNDONE', 'UNDO_BLOCKED'],
  effect: 'destructive_once',
  keywords: [...keywords, 'revert', 'rollback'],
})

export const export_kg_audit = operation({
  name: 'export_kg_audit',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/audit/export',
  permission: 'KG_AUDIT',
  title: 'Export graph sessions',
  description: 'Download all graph sessions of a board.',
  params: board,
  query: { format: z.enum(['json', 'csv']).default('json') },
  kind: 'file',
  fileTypes: ['application/jsonl', 'text/csv'],
  errors: [],
  keywords: [...keywords, 'audit', 'csv', 'download'],
})

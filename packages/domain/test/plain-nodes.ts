import type { Insertable } from 'kysely'
import type { KgEdgesTable, KgNodesTable } from '../src/schema/tables.ts'

/** The board of plain nodes and edges, unless `fields` says otherwise. */
export const plainBoard = 'b1'

const now = '2026-01-01T00:00:00.000Z'

/** The row of a node with default values, except for `fields`. */
export const plainNode = (
  id: string,
  node_type: KgNodesTable['node_type'],
  fields: Partial<Insertable<KgNodesTable>> = {},
): Insertable<KgNodesTable> => ({
  id,
  board_id: plainBoard,
  node_type,
  title: '',
  content: '',
  context: '',
  justification: '',
  source_artifact_ref: `ref:${id}`,
  owner_ref: null,
  source_session_id: 's',
  created_at: now,
  updated_at: now,
  created_by_agent: 'system',
  source_confidence: 1,
  relevance_score: 0.5,
  query_hits: 0,
  last_queried_at: null,
  last_recomputed_at: null,
  priority_boost: 0,
  manual_boost: 0,
  boosted_at: null,
  superseded_by: null,
  superseded_at: null,
  revocation_reason: null,
  embedding_model: '',
  degree: 0,
  polarity: null,
  core: null,
  revision: 0,
  ...fields,
})

/** The row of an edge with default values. */
export const plainEdge = (
  id: string,
  edge_type: KgEdgesTable['edge_type'],
  from_id: string,
  to_id: string,
  fields: Partial<Insertable<KgEdgesTable>> = {},
): Insertable<KgEdgesTable> => ({
  id,
  board_id: plainBoard,
  edge_type,
  from_id,
  to_id,
  confidence: 1,
  layer: 'deterministic',
  rule_id: 'r',
  created_by: 'system',
  fallback_reason: null,
  created_by_session_id: 's',
  created_at: now,
  owner_ref: 'o',
  ...fields,
})

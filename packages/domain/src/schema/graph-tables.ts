import type { ArtifactType, EdgeLayer, EdgeType, NodeType, RevocationReason } from '@specboard/contract'
import type { Json } from '@specboard/storage'
import type { Generated, Selectable } from 'kysely'
import type { Flag, JsonObject } from './columns.ts'
import type { Attempt } from './contents.ts'

/** A board's graph as a whole: its settings, its last backfill, and its revision. */
export interface KgBoardsTable {
  /** Prefixes the board's terms in the term index. */
  ordinal: Generated<number>
  board_id: string
  consolidation_enabled: Flag
  contradiction_detection: Flag
  audit_retention_days: number | null
  schema_version: string
  /** Incremented by every unit of work that changes nodes or vectors; memory caches are valid for one revision. */
  revision: number
  /** Nodes removed so far. */
  removals: number
  run_id: string | null
  run_total: number
  run_removed: number
  run_cancelled: Flag
  run_started_at: string | null
  run_finished_at: string | null
}

/** A node; its attributes are those of knowledge-graph 2.1. */
export interface KgNodesTable {
  /** The `rowid` of the node's terms and vector; never reused. */
  ordinal: Generated<number>
  id: string
  board_id: string
  node_type: NodeType
  title: string
  content: string
  context: string
  justification: string
  source_artifact_ref: string
  /** The record that the node is extracted from; null when it belongs to no single record. */
  owner_ref: string | null
  source_session_id: string
  created_at: string
  updated_at: string
  created_by_agent: string
  source_confidence: number
  relevance_score: number
  query_hits: number
  last_queried_at: string | null
  last_recomputed_at: string | null
  priority_boost: number
  manual_boost: number
  boosted_at: string | null
  superseded_by: string | null
  superseded_at: string | null
  revocation_reason: RevocationReason | null
  /** Empty while the node has no vector. */
  embedding_model: string
  /** The number of edges in and out. */
  degree: number
  /** For a decision: whether it decides for (1) or against (-1) its subject. */
  polarity: 1 | -1 | null
  /** For a decision: the terms of its subject, sorted. */
  core: Json<string[]> | null
  revision: number
}

export interface KgVectorsTable {
  /** The node's ordinal. */
  ordinal: number
  board_id: string
  model: string
  dimension: number
  /** 32-bit floats, little-endian, normalised to length 1. */
  vector: Uint8Array
  revision: number
}

/** The term index: one row per node, with the node's ordinal as `rowid`. */
export interface KgTermsTable {
  rowid: number
  terms: string
}

export interface KgEdgesTable {
  id: string
  board_id: string
  edge_type: EdgeType
  from_id: string
  to_id: string
  confidence: number
  layer: EdgeLayer
  rule_id: string
  created_by: string
  fallback_reason: string | null
  created_by_session_id: string
  created_at: string
  /** The record that the edge is extracted from. */
  owner_ref: string
}

export interface KgQueueTable {
  id: string
  board_id: string
  artifact_type: ArtifactType
  artifact_id: string
  /** 0 high, 1 normal, 2 low. */
  priority_rank: number
  /** The rank of the record's type in the lineage. */
  lineage_rank: number
  source: string
  status: 'pending' | 'claimed' | 'paused'
  triggered_at: string
  triggered_by_event: string | null
  claimed_by_session_id: string | null
  claimed_at: string | null
  claim_timeout_at: string | null
  next_retry_at: string | null
  attempts: number
  last_error: string | null
  /** Oldest first. */
  errors: Json<Attempt[]>
  /** Whether the record changed while the entry was claimed. */
  changed: Flag
  /** The backfill that queued the entry. */
  run_id: string | null
  /** The node that claimed the entry. */
  node_id: string | null
}

export interface KgDeadLettersTable {
  id: string
  board_id: string
  artifact_type: ArtifactType
  artifact_id: string
  original_queue_id: string | null
  attempts: number
  /** Oldest first. */
  errors: Json<Attempt[]>
  run_id: string | null
  dead_lettered_at: string
}

export interface KgSessionsTable {
  id: string
  board_id: string
  artifact_id: string
  artifact_type: ArtifactType | 'node'
  agent_id: string
  started_at: string
  committed_at: string
  nodes_added: number
  nodes_updated: number
  nodes_superseded: number
  nodes_removed: number
  edges_added: number
  edges_removed: number
  missing_links: number
  summary_text: string
  content_hash: string | null
  undone_at: string | null
  undone_by: string | null
}

/** Columns of a node, or a whole edge. */
export type ChangedColumns = Partial<Selectable<KgNodesTable>> | KgEdgesTable

/** A change of a session, with the columns before and after, for undo. */
export interface KgSessionChangesTable {
  id: string
  session_id: string
  board_id: string
  kind: 'node' | 'edge'
  target_id: string
  /** The columns before: the changed ones, or all of a removed row; null for an added row. */
  before: Json<ChangedColumns> | null
  /** The columns after; null for a removed row. */
  after: Json<ChangedColumns> | null
  /** The vector of a removed or changed node before the change. */
  vector: Uint8Array | null
}

export interface KgStreamEventsTable {
  id: Generated<number>
  event_id: string
  board_id: string
  event_type: string
  session_id: string | null
  payload: JsonObject
  created_at: string
}

export interface KgTicksTable {
  id: string
  /** The board of the tick; null when it took several. */
  board_id: string | null
  /** The owner whose boards the tick took; null for all boards. */
  owner_id: string | null
  started_at: string
  completed_at: string | null
  nodes_recomputed: number
  boards_processed: number
  duration_ms: number | null
  error: string | null
}

/** The tables of the knowledge graph. */
export interface KnowledgeGraphTables {
  kg_boards: KgBoardsTable
  kg_nodes: KgNodesTable
  kg_vectors: KgVectorsTable
  kg_terms: KgTermsTable
  kg_edges: KgEdgesTable
  kg_queue: KgQueueTable
  kg_dead_letters: KgDeadLettersTable
  kg_sessions: KgSessionsTable
  kg_session_changes: KgSessionChangesTable
  kg_stream_events: KgStreamEventsTable
  kg_ticks: KgTicksTable
}

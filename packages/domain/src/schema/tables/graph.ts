/** The knowledge graph. */
import type { ArtifactType, EdgeLayer, EdgeType, NodeType, RevocationReason } from '@specboard/contract'
import type { Selectable } from 'kysely'
import {
  author,
  bytes,
  flag,
  generated,
  graphReference,
  id,
  json,
  jsonObject,
  nullable,
  numberOf,
  ofBoard,
  oneOf,
  real,
  references,
  text,
  whole,
} from '../columns.ts'
import type { Attempt } from '../contents.ts'
import { type RowOf, table } from '../table.ts'

/** A board's graph as a whole: its settings, its last backfill, and its revision. */
export const kgBoards = table({
  name: 'kg_boards',
  key: ['ordinal'],
  removed: 'with the board',
  columns: {
    /** Prefixes the board's terms in the term index. */
    ordinal: generated(whole),
    board_id: ofBoard,
    consolidation_enabled: flag,
    contradiction_detection: flag,
    audit_retention_days: nullable(whole),
    schema_version: text,
    /** Incremented by every unit of work that changes nodes or vectors; memory caches are valid for one revision. */
    revision: whole,
    /** Nodes removed so far. */
    removals: whole,
    run_id: nullable(text),
    run_total: whole,
    run_removed: whole,
    run_cancelled: flag,
    run_started_at: nullable(text),
    run_finished_at: nullable(text),
  },
})
export type KgBoardsTable = RowOf<typeof kgBoards>

/** A node; its attributes are those of knowledge-graph 2.1. */
export const kgNodes = table({
  name: 'kg_nodes',
  key: ['ordinal'],
  removed: 'in pieces',
  turn: 'last',
  columns: {
    /** The `rowid` of the node's terms and vector; never reused. */
    ordinal: generated(whole),
    id: text,
    board_id: ofBoard,
    node_type: oneOf<NodeType>(),
    title: text,
    content: text,
    context: text,
    justification: text,
    source_artifact_ref: text,
    /** The record that the node is extracted from; null when it belongs to no single record. */
    owner_ref: nullable(text),
    source_session_id: text,
    created_at: text,
    updated_at: text,
    created_by_agent: text,
    source_confidence: real,
    relevance_score: real,
    query_hits: whole,
    last_queried_at: nullable(text),
    last_recomputed_at: nullable(text),
    priority_boost: real,
    manual_boost: real,
    boosted_at: nullable(text),
    superseded_by: nullable(text),
    superseded_at: nullable(text),
    revocation_reason: nullable(oneOf<RevocationReason>()),
    /** Empty while the node has no vector. */
    embedding_model: text,
    /** The number of edges in and out. */
    degree: whole,
    /** For a decision: whether it decides for (1) or against (-1) its subject. */
    polarity: nullable(numberOf<1 | -1>()),
    /** For a decision: the terms of its subject, sorted. */
    core: nullable(json<string[]>()),
    revision: whole,
  },
})
export type KgNodesTable = RowOf<typeof kgNodes>

export const kgVectors = table({
  name: 'kg_vectors',
  key: ['ordinal'],
  removed: 'in pieces',
  turn: 'last',
  columns: {
    /** The node's ordinal. */
    ordinal: references(whole, 'kg_nodes', 'ordinal'),
    board_id: ofBoard,
    model: text,
    dimension: whole,
    /** 32-bit floats, little-endian, normalised to length 1. */
    vector: bytes,
    revision: whole,
  },
})
export type KgVectorsTable = RowOf<typeof kgVectors>

/** The term index: one row per node, with the node's ordinal as `rowid`. */
export const kgTerms = table({
  name: 'kg_terms',
  key: ['rowid'],
  stays: true,
  engine: 'own form',
  columns: {
    rowid: whole,
    terms: text,
  },
})

export const kgEdges = table({
  name: 'kg_edges',
  removed: 'in pieces',
  turn: 'last',
  columns: {
    id: text,
    board_id: ofBoard,
    edge_type: oneOf<EdgeType>(),
    from_id: id('kg_nodes'),
    to_id: id('kg_nodes'),
    confidence: real,
    layer: oneOf<EdgeLayer>(),
    rule_id: text,
    created_by: text,
    fallback_reason: nullable(text),
    created_by_session_id: text,
    created_at: text,
    /** The record that the edge is extracted from. */
    owner_ref: text,
  },
})
export type KgEdgesTable = RowOf<typeof kgEdges>

export const kgQueue = table({
  name: 'kg_queue',
  key: ['artifact_id', 'artifact_type'],
  removed: 'in pieces',
  turn: 'first',
  columns: {
    id: text,
    board_id: ofBoard,
    artifact_type: oneOf<ArtifactType>(),
    artifact_id: text,
    /** 0 high, 1 normal, 2 low. */
    priority_rank: whole,
    /** The rank of the record's type in the lineage. */
    lineage_rank: whole,
    source: text,
    status: oneOf<'pending' | 'claimed' | 'paused'>(),
    triggered_at: text,
    triggered_by_event: nullable(text),
    claimed_by_session_id: nullable(text),
    claimed_at: nullable(text),
    claim_timeout_at: nullable(text),
    next_retry_at: nullable(text),
    attempts: whole,
    last_error: nullable(text),
    /** Oldest first. */
    errors: json<Attempt[]>(),
    /** Whether the record changed while the entry was claimed. */
    changed: flag,
    /** The backfill that queued the entry. */
    run_id: nullable(text),
    /** The node that claimed the entry. */
    node_id: nullable(text),
  },
})
export type KgQueueTable = RowOf<typeof kgQueue>

export const kgDeadLetters = table({
  name: 'kg_dead_letters',
  removed: 'in pieces',
  turn: 'last',
  columns: {
    id: text,
    board_id: ofBoard,
    artifact_type: oneOf<ArtifactType>(),
    artifact_id: text,
    original_queue_id: nullable(text),
    attempts: whole,
    /** Oldest first. */
    errors: json<Attempt[]>(),
    run_id: nullable(text),
    dead_lettered_at: text,
  },
})
export type KgDeadLettersTable = RowOf<typeof kgDeadLetters>

export const kgSessions = table({
  name: 'kg_sessions',
  removed: 'in pieces',
  turn: 'last',
  columns: {
    id: text,
    board_id: ofBoard,
    artifact_id: text,
    artifact_type: oneOf<ArtifactType | 'node'>(),
    agent_id: text,
    started_at: text,
    committed_at: text,
    nodes_added: whole,
    nodes_updated: whole,
    nodes_superseded: whole,
    nodes_removed: whole,
    edges_added: whole,
    edges_removed: whole,
    missing_links: whole,
    summary_text: text,
    content_hash: nullable(text),
    undone_at: nullable(text),
    undone_by: nullable(text),
  },
})
export type KgSessionsTable = RowOf<typeof kgSessions>

/** Columns of a node, or a whole edge. */
type ChangedColumns = Partial<Selectable<KgNodesTable>> | KgEdgesTable

/** A change of a session, with the columns before and after, for undo. */
export const kgSessionChanges = table({
  name: 'kg_session_changes',
  removed: 'in pieces',
  turn: 'last',
  columns: {
    id: text,
    session_id: id('kg_sessions'),
    board_id: ofBoard,
    kind: oneOf<'node' | 'edge'>(),
    target_id: text,
    /** The columns before: the changed ones, or all of a removed row; null for an added row. */
    before: nullable(json<ChangedColumns>()),
    /** The columns after; null for a removed row. */
    after: nullable(json<ChangedColumns>()),
    /** The vector of a removed or changed node before the change. */
    vector: nullable(bytes),
  },
})
export type KgSessionChangesTable = RowOf<typeof kgSessionChanges>

export const kgStreamEvents = table({
  name: 'kg_stream_events',
  removed: 'in pieces',
  turn: 'last',
  columns: {
    id: generated(whole),
    event_id: text,
    board_id: ofBoard,
    event_type: text,
    session_id: nullable(text),
    payload: jsonObject(),
    created_at: text,
  },
})
export type KgStreamEventsTable = RowOf<typeof kgStreamEvents>

export const kgTicks = table({
  name: 'kg_ticks',
  removed: 'in pieces',
  turn: 'last',
  isSmall: true,
  columns: {
    id: text,
    /** The board of the tick; null when it took several. */
    board_id: nullable(id('boards')),
    /** The owner whose boards the tick took; null for all boards. */
    owner_id: nullable(text),
    started_at: text,
    completed_at: nullable(text),
    nodes_recomputed: whole,
    boards_processed: whole,
    duration_ms: nullable(whole),
    error: nullable(text),
  },
})
export type KgTicksTable = RowOf<typeof kgTicks>

/** What agents did to a graph elsewhere, to be repeated on the nodes that are derived here. */
export const graphActions = table({
  name: 'graph_actions',
  archived: 'graph_action',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    action: oneOf<'boost' | 'undo'>(),
    node_type: nullable(text),
    record_ref: graphReference,
    actor_id: author,
    created_at: text,
  },
})

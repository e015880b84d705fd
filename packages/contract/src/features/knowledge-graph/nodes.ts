import { z } from 'zod'
import { operation } from '../../operation.ts'
import { namedAs } from '../../references.ts'
import { Id, Ref, Timestamp } from '../../shared.ts'
import { edgeLayers, KgEdgeType, KgNodeType, revocationReasons } from './model.ts'

const board = { board_id: Id }
const keywords = ['graph', 'memory', 'lesson', 'knowledge']

/** A node in a list. */
export const KgNode = z
  .object({
    id: Id,
    node_type: KgNodeType,
    title: z.string(),
    content: z.string(),
    created_at: Timestamp,
    source_confidence: z.number(),
    relevance_score: z.number(),
    source_artifact_ref: z.string(),
  })
  .meta({ id: 'KgNode' })

const neighbour = z
  .object({
    edge_type: KgEdgeType,
    direction: z.enum(['out', 'in']),
    node_id: Id,
    node_type: KgNodeType,
    title: z.string(),
    confidence: z.number(),
    rule_id: z.string(),
  })
  .meta({ id: 'KgNeighbour' })

/** A node with all of its attributes except the vector. */
export const KgNodeDetail = z
  .object({
    ...KgNode.shape,
    context: z.string(),
    justification: z.string(),
    query_hits: z.int(),
    last_queried_at: Timestamp.nullable(),
    last_recomputed_at: Timestamp.nullable(),
    priority_boost: z.number(),
    manual_boost: z.number(),
    superseded_by: Id.nullable(),
    superseded_at: Timestamp.nullable(),
    revocation_reason: z.enum(revocationReasons).nullable(),
    created_by_agent: z.string(),
    source_session_id: Id,
    updated_at: Timestamp,
    degree: z.int(),
    edges: z.array(neighbour),
  })
  .meta({ id: 'KgNodeDetail' })

export const list_kg_nodes = operation({
  name: 'list_kg_nodes',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/nodes',
  permission: 'KG_READ',
  title: 'List graph nodes',
  description: 'List nodes of a graph.',
  params: board,
  query: {
    type: z.string().optional(),
    min_confidence: z.number().min(0).max(1).default(0.5).describe('0-1'),
    min_relevance: z.number().min(0).default(0),
    limit: z.int().min(1).max(200).default(50).describe('1-200'),
    cursor: z.string().optional(),
  },
  response: z
    .object({
      nodes: z.array(KgNode),
      next_cursor: z.string().nullable(),
      total_hint: z.int(),
      page_count: z.int(),
    })
    .meta({ id: 'KgNodePage' }),
  errors: ['VALIDATION_ERROR', 'INVALID_CURSOR'],
  keywords,
})

export const get_kg_node = operation({
  name: 'get_kg_node',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/nodes/{node_id}',
  permission: 'KG_READ',
  title: 'Get graph node',
  description: 'Get a knowledge graph node with its edges.',
  params: { ...board, node_id: Id },
  response: KgNodeDetail,
  errors: [],
  keywords,
})

const graphNode = z.object({ ...KgNode.shape, distance: z.int().exactOptional() }).meta({ id: 'KgGraphNode' })

const edge = z
  .object({
    id: z.string(),
    source: Id,
    target: Id,
    edge_type: KgEdgeType,
    confidence: z.number(),
    layer: z.enum(edgeLayers),
    rule_id: z.string(),
  })
  .meta({ id: 'KgEdge' })

const anchor = 'node id, artifact ref or record id'

export const get_kg_graph = operation({
  name: 'get_kg_graph',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/graph',
  permission: 'KG_READ',
  reads: 'board',
  title: 'Get graph',
  description: 'Get nodes with their edges: all, or around a node or record.',
  params: board,
  query: {
    center: z.string().default('').describe(anchor),
    depth: z.int().default(2).describe('1-5'),
    limit: z.int().default(100).describe('1-500'),
    cursor: z.string().optional(),
    min_relevance: z.number().min(0).default(0),
    type: z.string().optional(),
  },
  response: z
    .object({
      nodes: z.array(graphNode),
      edges: z.array(edge),
      next_cursor: z.string().nullable(),
      metadata: z
        .object({
          depth: z.int(),
          truncated: z.boolean(),
          min_relevance: z.number(),
          edge_read_status: z.literal('ok'),
          edge_tables_scanned: z.int(),
          edge_tables_failed: z.int(),
          edge_errors: z.array(z.string()),
          edges_returned: z.int(),
        })
        .meta({ id: 'KgGraphMetadata' }),
    })
    .meta({ id: 'KgGraph' }),
  errors: ['VALIDATION_ERROR', 'INVALID_CURSOR'],
  keywords: [...keywords, 'neighbours'],
})

export const get_kg_path = operation({
  name: 'get_kg_path',
  extension: true,
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/path',
  permission: 'KG_READ',
  reads: 'board',
  title: 'Get graph path',
  description: 'Get a shortest path between two nodes or records.',
  params: board,
  query: {
    from: z.string().min(1).describe(anchor).register(namedAs, { kind: 'any' }),
    to: z.string().min(1).register(namedAs, { kind: 'any' }),
    max_length: z.int().min(1).max(50).default(50).describe('1-50'),
  },
  response: z
    .object({ length: z.int().nullable(), nodes: z.array(graphNode), edges: z.array(edge) })
    .meta({ id: 'KgPath' }),
  errors: [],
  keywords: [...keywords, 'connection', 'route', 'between'],
})

/** The members of every search result. */
const hit = {
  excerpt: z.string(),
  record_ref: Ref.nullable(),
  also: z.array(Id).exactOptional(),
  below_threshold: z.literal(true).exactOptional(),
}

export const find_similar_kg_nodes = operation({
  name: 'find_similar_kg_nodes',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/similar',
  permission: 'KG_READ',
  title: 'Find similar nodes',
  description: 'Find decisions or other nodes of a board on a topic.',
  params: board,
  query: {
    topic: z.string().optional(),
    top_k: z.int().min(1).max(50).default(10).describe('1-50'),
    min_similarity: z.number().min(0).max(1).optional().describe('0-1, 0.3'),
    type: z.string().default('Decision').describe('a node type or all'),
    include_superseded: z.boolean().default(true),
  },
  response: z
    .object({
      results: z.array(
        z
          .object({
            id: Id,
            title: z.string(),
            node_type: KgNodeType,
            source_artifact_ref: z.string(),
            similarity: z.number(),
            combined_score: z.number(),
            superseded_by: Id.nullable(),
            ...hit,
          })
          .meta({ id: 'KgSimilarNode' }),
      ),
      total: z.int(),
      warning: z.literal('embedding_unavailable').exactOptional(),
    })
    .meta({ id: 'KgSimilarNodes' }),
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'search', 'semantic', 'decisions', 'learnings'],
})

export const search_kg_global = operation({
  name: 'search_kg_global',
  method: 'GET',
  path: '/api/v1/kg/global/search',
  permission: 'KG_READ',
  title: 'Search all graphs',
  description: 'Search the graphs of all boards that you see.',
  query: {
    q: z.string().optional().describe('required; not blank'),
    limit: z.int().min(1).max(100).default(20).describe('1-100'),
    min_similarity: z.number().min(0).max(1).optional().describe('0-1, 0.3'),
    type: z.string().optional(),
  },
  response: z
    .object({
      results: z.array(
        z
          .object({
            board_id: Id,
            digest_id: z.string(),
            id: Id,
            title: z.string(),
            summary: z.string(),
            node_type: KgNodeType,
            similarity: z.number(),
            ...hit,
          })
          .meta({ id: 'KgGlobalResult' }),
      ),
      total: z.int(),
      warning: z.literal('embedding_unavailable').exactOptional(),
    })
    .meta({ id: 'KgGlobalResults' }),
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'find', 'semantic'],
})

const superseded = z
  .object({
    id: Id,
    title: z.string(),
    created_at: Timestamp,
    superseded_by: Id.nullable(),
    superseded_at: Timestamp.nullable(),
  })
  .meta({ id: 'KgChainDecision' })

export const get_kg_supersedence = operation({
  name: 'get_kg_supersedence',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/supersedence/{decision_id}',
  permission: 'KG_READ',
  title: 'Get supersedence chain',
  description: 'Get what a decision replaced and what replaced it.',
  params: { ...board, decision_id: Id },
  response: z
    .object({ chain: z.array(superseded), depth: z.int(), current_active: Id, newer: z.array(superseded) })
    .meta({ id: 'KgSupersedence' }),
  errors: [],
  keywords: [...keywords, 'replaced', 'decision'],
})

export const list_kg_contradictions = operation({
  name: 'list_kg_contradictions',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/contradictions',
  permission: 'KG_READ',
  title: 'List contradictions',
  description: 'List decisions that contradict each other.',
  params: board,
  query: {
    node_id: z.string().default('').describe('only pairs with this node'),
    limit: z.int().min(1).max(200).default(50).describe('1-200'),
    offset: z.int().min(0).default(0),
  },
  response: z
    .object({
      contradictions: z.array(
        z
          .object({ id_a: Id, title_a: z.string(), id_b: Id, title_b: z.string(), confidence: z.number() })
          .meta({ id: 'KgContradiction' }),
      ),
      total: z.int(),
    })
    .meta({ id: 'KgContradictions' }),
  errors: [],
  keywords: [...keywords, 'conflict'],
})

const counts = z.record(z.string(), z.int())

export const get_kg_stats = operation({
  name: 'get_kg_stats',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/stats',
  permission: 'KG_READ',
  reads: 'board',
  title: 'Get graph statistics',
  description: 'Count the nodes and edges of a board by type.',
  params: board,
  query: { min_relevance: z.number().min(0).default(0) },
  response: z
    .object({
      schema_version: z.string(),
      graph_schema_version: z.string(),
      node_counts_by_type: counts,
      edge_counts_by_type: counts,
      avg_confidence: z.number(),
      avg_relevance: z.number(),
      pending_queue_count: z.int(),
      last_consolidation_at: Timestamp.nullable(),
      min_relevance: z.number(),
      edge_count_status: z.literal('ok'),
      edge_count_tables_scanned: z.int(),
      edge_count_tables_failed: z.int(),
      edge_count_errors: z.array(z.string()),
    })
    .meta({ id: 'KgStats' }),
  errors: [],
  keywords: [...keywords, 'counts'],
})

export const get_kg_metrics = operation({
  name: 'get_kg_metrics',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/metrics',
  permission: 'KG_READ',
  title: 'Get graph metrics',
  description: 'Get the origins of the edges of a graph.',
  params: board,
  response: z
    .object({
      board_id: Id,
      kg_bootstrapped: z.boolean(),
      edge_count_by_layer: z.object({
        deterministic: z.int(),
        cognitive: z.int(),
        fallback: z.int(),
        legacy: z.int(),
        unknown: z.int(),
      }),
      edge_count_by_rule: counts,
      deterministic_edge_ratio: z.number(),
      cognitive_edge_ratio: z.number(),
      fallback_edge_ratio: z.number(),
      legacy_edge_ratio: z.number(),
      edges_total: z.int(),
      nodes_total: z.int(),
      node_count_by_type: counts,
      health_targets: z.object({
        deterministic_edge_ratio_min: z.number(),
        fallback_edge_ratio_max: z.number(),
        cognitive_edge_ratio_target_range: z.array(z.number()),
      }),
    })
    .meta({ id: 'KgMetrics' }),
  errors: [],
  keywords: [...keywords, 'quality'],
})

export const boost_kg_node = operation({
  name: 'boost_kg_node',
  method: 'POST',
  path: '/api/v1/kg/boards/{board_id}/nodes/{node_id}/boost',
  permission: 'KG_UPDATE',
  title: 'Boost graph node',
  description: 'Raise the relevance of a node; the boost decays.',
  params: { ...board, node_id: Id },
  body: z.object({ reason: z.string().max(500).nullable().default(null) }).meta({ id: 'KgBoost' }),
  bodyOptional: true,
  response: z
    .object({
      node_id: Id,
      node_type: KgNodeType,
      score_before: z.number(),
      score_after: z.number(),
      boosted_at: Timestamp,
      boosted_by: Id,
    })
    .meta({ id: 'KgBoosted' }),
  errors: [],
  keywords: [...keywords, 'relevance', 'pin'],
})

import { z } from 'zod'
import { operation } from '../../operation.ts'
import { always } from '../../permission-rules.ts'
import { FreeObject, Id, Timestamp } from '../../shared.ts'

const board = { board_id: Id }
const keywords = ['graph', 'configuration']

const serviceFields = {
  graph_store: z.literal('sqlite'),
  session_ttl_seconds: z.int(),
  kg_base_dir: z.null(),
  embedding_provider_name: z.enum(['builtin', 'http']),
  model_name: z.string(),
  embedding_dimension: z.int(),
  is_loaded: z.boolean(),
  is_stub: z.literal(false),
  embedding_kind: z.enum(['lexical', 'semantic']),
  schema_version: z.string(),
}

const boardFields = {
  ...serviceFields,
  consolidation_enabled: z.boolean(),
  enable_historical_consolidation: z.boolean(),
  kg_initialized: z.boolean(),
  embedding_provider: z.string(),
  contradiction_detection: z.boolean(),
  audit_retention_days: z.int().nullable(),
}

export const get_kg_settings = operation({
  name: 'get_kg_settings',
  method: 'GET',
  path: '/api/v1/kg/settings',
  permission: 'KG_READ',
  title: 'Get graph settings',
  description: 'Get how the service keeps graphs.',
  response: z.object(serviceFields).meta({ id: 'KgSettings' }),
  errors: [],
  keywords: [...keywords, 'embedding'],
})

export const get_board_kg_settings = operation({
  name: 'get_board_kg_settings',
  method: 'GET',
  path: '/api/v1/kg/boards/{board_id}/settings',
  permission: 'KG_READ',
  title: 'Get board graph settings',
  description: 'Get the knowledge graph settings of a board.',
  params: board,
  response: z.object(boardFields).meta({ id: 'KgBoardSettings' }),
  errors: [],
  keywords,
})

export const put_board_kg_settings = operation({
  name: 'put_board_kg_settings',
  method: 'PUT',
  path: '/api/v1/kg/boards/{board_id}/settings',
  permission: 'KG_ADMIN',
  asks: always('KG_ADMIN_SETTINGS'),
  title: 'Set board graph settings',
  description: 'Set the graph settings of a board.',
  params: board,
  body: z
    .object({
      consolidation_enabled: z.boolean().exactOptional(),
      contradiction_detection: z.boolean().exactOptional(),
      audit_retention_days: z
        .int()
        .min(1)
        .max(3650)
        .nullable()
        .exactOptional()
        .describe('1-3650; null keeps sessions for ever'),
    })
    .meta({ id: 'KgBoardSettingsUpdate' }),
  response: z.object({ success: z.literal(true), ...boardFields }).meta({ id: 'KgBoardSettingsStored' }),
  errors: [],
  keywords: [...keywords, 'pause'],
})

const namedType = z.object({ name: z.string(), stable: z.boolean() }).meta({ id: 'KgSchemaNode' })
const relation = z.object({ name: z.string(), from: z.string(), to: z.string() }).meta({ id: 'KgSchemaRelation' })
const attribute = z.object({ name: z.string(), type: z.string() }).meta({ id: 'KgSchemaAttribute' })

export const get_kg_schema = operation({
  name: 'get_kg_schema',
  method: 'GET',
  path: '/api/v1/kg/schema',
  permission: 'KG_READ',
  title: 'Get graph schema',
  description: 'Get node types, edge types and the Cypher subset.',
  query: { board_id: Id.optional(), include_internal: z.boolean().default(false) },
  response: z
    .object({
      schema_version: z.string(),
      stable_node_types: z.array(namedType),
      stable_rel_types: z.array(relation),
      vector_indexes: z.array(
        z
          .object({
            node_type: z.string(),
            attribute: z.literal('embedding'),
            dimension: z.int(),
            similarity_metric: z.literal('cosine'),
            index_name: z.string(),
          })
          .meta({ id: 'KgVectorIndex' }),
      ),
      node_attributes: z.array(attribute),
      edge_attributes: z.array(attribute),
      cypher: z.object({
        clauses: z.array(z.string()),
        functions: z.array(z.string()),
        max_hops: z.int(),
        max_rows: z.int(),
      }),
      internal_node_types: z.array(namedType).exactOptional(),
      internal_rel_types: z.array(relation).exactOptional(),
    })
    .meta({ id: 'KgSchema' }),
  errors: ['NOT_FOUND'],
  keywords: [...keywords, 'labels', 'types'],
})

export const get_kg_openapi = operation({
  name: 'get_kg_openapi',
  method: 'GET',
  path: '/api/v1/kg/openapi.json',
  permission: 'KG_READ',
  title: 'Get graph OpenAPI',
  description: 'Get the OpenAPI document of the graph operations.',
  response: z
    .looseObject({
      openapi: z.string(),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      paths: FreeObject,
      components: FreeObject,
    })
    .meta({ id: 'KgOpenApi' }),
  errors: [],
  keywords: [...keywords, 'specification'],
})

export const run_kg_tick = operation({
  name: 'run_kg_tick',
  method: 'POST',
  path: '/api/v1/kg/tick/run-now',
  permission: 'KG_ADMIN',
  asks: always('KG_ADMIN_BACKFILL'),
  title: 'Run graph tick',
  description: 'Recompute the relevance of nodes now.',
  body: z
    .object({
      board_id: Id.nullable().default(null).describe('null: every board of the key'),
      force_full_rebuild: z.boolean().default(false).describe('every node is due'),
    })
    .meta({ id: 'KgTick' }),
  bodyOptional: true,
  status: 202,
  response: z
    .object({ tick_id: Id, status: z.literal('running'), scheduled_at: Timestamp })
    .meta({ id: 'KgTickStarted' }),
  errors: ['NOT_FOUND', 'TICK_ALREADY_RUNNING'],
  keywords: [...keywords, 'decay', 'recompute'],
})

export const get_kg_health = operation({
  name: 'get_kg_health',
  method: 'GET',
  path: '/api/v1/kg/health',
  permission: 'KG_READ',
  title: 'Get graph health',
  description: 'Get the state of a graph and its queue.',
  query: { board_id: Id },
  response: z
    .object({
      queue_depth: z.int(),
      oldest_pending_age_s: z.number(),
      dead_letter_count: z.int(),
      total_nodes: z.int(),
      default_score_count: z.int(),
      default_score_ratio: z.number(),
      avg_relevance: z.number(),
      top_disconnected_nodes: z.array(
        z.object({ id: Id, type: z.string(), degree: z.int() }).meta({ id: 'KgDisconnectedNode' }),
      ),
      schema_version: z.string(),
      health_schema_version: z.string(),
      graph_schema_version: z.string(),
      contradict_warn_count: z.int(),
      last_decay_tick_at: Timestamp.nullable(),
      last_tick_status: z.enum(['running', 'completed', 'failed']).nullable(),
      last_tick_error: z.string().nullable(),
      nodes_recomputed_in_last_tick: z.int(),
      tick_in_progress: z.boolean(),
      status: z.enum(['healthy', 'degraded']),
    })
    .meta({ id: 'KgHealth' }),
  errors: ['NOT_FOUND'],
  keywords: [...keywords, 'status'],
})

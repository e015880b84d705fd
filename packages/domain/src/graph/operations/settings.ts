import {
  type AttributeType,
  edgeAttributes,
  edgePairs,
  edgeTypes,
  features,
  nodeAttributes,
  nodeTypes,
} from '@specboard/contract'
import { aggregates, functions, maxHops } from '@specboard/cypher'
import type { Context, Environment, OpenApiDocument } from '../../kernel/context.ts'
import { type Implementation, multiStep } from '../../kernel/implement.ts'
import type { Db } from '../../schema/database.ts'
import { readProgress } from '../backfill/backfill.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { rowLimit } from '../queries/run-cypher.ts'
import { pauseQueue } from '../queue/retry.ts'
import { readGraphBoard, schemaVersion, writeGraphBoard } from '../store/boards.ts'
import { switchContradictions } from '../store/contradiction-switch.ts'
import { readHealth } from '../store/health.ts'
import { isBegun } from '../store/statistics.ts'
import { onBoard } from './boards.ts'

type Graph = (typeof features)['knowledge-graph']

/** Kept for old clients; it has no effect. */
const sessionTtlSeconds = 3_600

const serviceSettings = ({ provider, model, dimension, kind, isLoaded }: Embedder) => ({
  graph_store: 'sqlite' as const,
  session_ttl_seconds: sessionTtlSeconds,
  kg_base_dir: null,
  embedding_provider_name: provider,
  model_name: model,
  embedding_dimension: dimension,
  is_loaded: isLoaded,
  is_stub: false as const,
  embedding_kind: kind,
  schema_version: schemaVersion,
})

async function boardSettings(db: Db, boardId: string, embedder: Embedder) {
  const board = await readGraphBoard(db, boardId)
  return {
    ...serviceSettings(embedder),
    consolidation_enabled: board.consolidation_enabled === 1,
    enable_historical_consolidation: (await readProgress(db, boardId)).enabled,
    kg_initialized: await isBegun(db, boardId),
    embedding_provider: embedder.provider,
    contradiction_detection: board.contradiction_detection === 1,
    audit_retention_days: board.audit_retention_days,
  }
}

export const getSettings: Implementation<Graph['get_kg_settings']> = async (_, ctx) =>
  serviceSettings(ctx.environment.graph.embedder)

export const getBoardSettings: Implementation<Graph['get_board_kg_settings']> = (_, ctx) =>
  boardSettings(ctx.db, ctx.boardId, ctx.environment.graph.embedder)

export const putBoardSettings: Implementation<Graph['put_board_kg_settings']> = async ({ body }, ctx) => {
  const before = await readGraphBoard(ctx.db, ctx.boardId)
  const { consolidation_enabled, contradiction_detection, audit_retention_days } = body
  const fields: string[] = []
  if (consolidation_enabled !== undefined && consolidation_enabled !== (before.consolidation_enabled === 1)) {
    await writeGraphBoard(ctx.db, ctx.boardId, { consolidation_enabled: consolidation_enabled ? 1 : 0 })
    await pauseQueue(ctx.db, ctx.boardId, !consolidation_enabled)
    fields.push('consolidation_enabled')
  }
  if (contradiction_detection !== undefined && contradiction_detection !== (before.contradiction_detection === 1)) {
    const unit = { boardId: ctx.boardId, sessionId: ctx.newId(), now: ctx.now() }
    await switchContradictions(ctx.db, unit, contradiction_detection)
    fields.push('contradiction_detection')
  }
  if (audit_retention_days !== undefined && audit_retention_days !== before.audit_retention_days) {
    await writeGraphBoard(ctx.db, ctx.boardId, { audit_retention_days })
    fields.push('audit_retention_days')
  }
  if (fields.length > 0) await recordChange(ctx, fields)
  return { success: true, ...(await boardSettings(ctx.db, ctx.boardId, ctx.environment.graph.embedder)) }
}

async function recordChange(ctx: Context, fields: readonly string[]): Promise<void> {
  await ctx.record({
    boardId: ctx.boardId,
    entity: { type: 'board', id: ctx.boardId },
    activity: { action: 'kg_settings_updated', details: { fields: [...fields].sort() } },
  })
  ctx.afterCommit.push(() => ctx.environment.graph.queued([ctx.boardId]))
}

const attributesOf = (attributes: Readonly<Record<string, AttributeType>>) =>
  Object.entries(attributes).map(([name, type]) => ({ name, type }))

/** The clauses of the Cypher subset. */
const clauses = ['MATCH', 'OPTIONAL MATCH', 'WHERE', 'RETURN', 'DISTINCT', 'ORDER BY', 'SKIP', 'LIMIT']

export const getSchema: Implementation<Graph['get_kg_schema']> = async ({ query }, ctx) => {
  if (query.board_id !== undefined) await onBoard(ctx, query.board_id, 'KG_READ')
  return {
    schema_version: schemaVersion,
    stable_node_types: nodeTypes.map(name => ({ name, stable: true })),
    stable_rel_types: edgeTypes.flatMap(name => edgePairs[name].map(([from, to]) => ({ name, from, to }))),
    vector_indexes: nodeTypes.map(node_type => ({
      node_type,
      attribute: 'embedding' as const,
      dimension: ctx.environment.graph.embedder.dimension,
      similarity_metric: 'cosine' as const,
      index_name: `${node_type.toLowerCase()}_embedding_idx`,
    })),
    node_attributes: attributesOf(nodeAttributes),
    edge_attributes: attributesOf(edgeAttributes),
    cypher: { clauses, functions: [...functions, ...aggregates], max_hops: maxHops, max_rows: rowLimit },
    ...(query.include_internal && { internal_node_types: [], internal_rel_types: [] }),
  }
}

/** The document of each service; it takes 20 ms to make and never changes. */
const documents = new WeakMap<Environment, OpenApiDocument>()

export const getOpenApi: Implementation<Graph['get_kg_openapi']> = async (_, { environment }) => {
  const document = documents.get(environment) ?? environment.openApi(Object.values(features['knowledge-graph']))
  documents.set(environment, document)
  return document
}

export const getHealth: Implementation<Graph['get_kg_health']> = async ({ query }, ctx) => {
  await onBoard(ctx, query.board_id, 'KG_READ')
  const { graph, clock } = ctx.environment
  return readHealth(ctx.db, query.board_id, { nowMs: clock(), tickRuns: graph.ticker.isRunning })
}

export const runTick = multiStep<Graph['run_kg_tick']>(async ({ body }, steps) => {
  const { board_id, force_full_rebuild } = body
  const ownerId = await steps.read(async ctx => {
    if (board_id !== null) await onBoard(ctx, board_id, 'KG_ADMIN_BACKFILL')
    return ctx.caller.id
  })
  const scope = { boardId: board_id, ownerId, all: force_full_rebuild }
  const { id, startedAt } = await steps.environment.graph.ticker.begin(scope, run => steps.write(ctx => run(ctx.db)))
  return { tick_id: id, status: 'running', scheduled_at: startedAt }
})

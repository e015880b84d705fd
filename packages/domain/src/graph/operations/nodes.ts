import { type features, type NodeType, nodeTypes } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { ExplicitAnswer, type Implementation, multiStep } from '../../kernel/implement.ts'
import { oneOf } from '../../kernel/one-of.ts'
import { placeOf } from '../cursor.ts'
import { storeEvent } from '../events/store.ts'
import { boosted } from '../scores.ts'
import { maxTopicLength, topicOf } from '../search/topic.ts'
import { storeSession } from '../sessions/store.ts'
import { GraphChanges } from '../store/changes.ts'
import { readContradictions } from '../store/contradiction-list.ts'
import { edgesBetween, shortestPath, walk } from '../store/neighbourhood.ts'
import { countNodes, nodeDetail, nodeItem, readNodePage } from '../store/nodes.ts'
import { type NodeRow, nodesByIds } from '../store/rows.ts'
import { edgeTables, readMetrics, readStats } from '../store/statistics.ts'
import { readSupersedence } from '../store/supersedence.ts'

type Graph = (typeof features)['knowledge-graph']

const typeOf = (type: string | undefined): NodeType | null =>
  type === undefined || type === '' ? null : oneOf('type', nodeTypes, type)

const typeOrAll = (type: string | undefined): NodeType | 'all' =>
  type === undefined || type === '' ? 'all' : oneOf('type', [...nodeTypes, 'all'], type)

async function nodeOf(ctx: Context, id: string): Promise<NodeRow> {
  const [node] = await nodesByIds(ctx.db, [id])
  if (node === undefined || node.board_id !== ctx.boardId) throw notFound('kg_node', id)
  return node
}

export const listNodes: Implementation<Graph['list_kg_nodes']> = async ({ query }, ctx) => {
  const filter = {
    board: ctx.boardId,
    type: typeOf(query.type),
    minConfidence: query.min_confidence,
    minRelevance: query.min_relevance,
  }
  const { rows, nextCursor } = await readNodePage(ctx.db, filter, placeOf(query.cursor), query.limit)
  const total = await countNodes(ctx.db, filter)
  return new ExplicitAnswer(
    { nodes: rows.map(nodeItem), next_cursor: nextCursor, total_hint: total, page_count: rows.length },
    { total },
  )
}

export const getNode: Implementation<Graph['get_kg_node']> = async ({ params }, ctx) =>
  nodeDetail(ctx.db, await nodeOf(ctx, params.node_id))

/** Checks an integer of a query whose range violation is answered with 400, not 422. */
function within(field: string, value: number, min: number, max: number): number {
  if (value >= min && value <= max) return value
  throw invalid(field, `${field} must be from ${min} to ${max}, not ${value}.`)
}

export const getGraph: Implementation<Graph['get_kg_graph']> = async ({ query }, ctx) => {
  const depth = within('depth', query.depth, 1, 5)
  const limit = within('limit', query.limit, 1, 500)
  const { min_relevance } = query
  const type = typeOf(query.type)
  const part =
    query.center === ''
      ? await pageOfGraph(ctx, { type, minRelevance: min_relevance, cursor: query.cursor, limit })
      : await surroundings(ctx, query.center, { depth, limit, type, minRelevance: min_relevance })
  const edges = await edgesBetween(
    ctx.db,
    part.nodes.map(({ id }) => id),
  )
  return {
    nodes: part.nodes,
    edges,
    next_cursor: part.nextCursor,
    metadata: {
      depth,
      truncated: part.truncated,
      min_relevance,
      edge_read_status: 'ok',
      edge_tables_scanned: edgeTables.scanned,
      edge_tables_failed: edgeTables.failed,
      edge_errors: edgeTables.errors,
      edges_returned: edges.length,
    },
  }
}

async function pageOfGraph(
  ctx: Context,
  query: { type: NodeType | null; minRelevance: number; cursor: string | undefined; limit: number },
) {
  const { type, minRelevance, cursor, limit } = query
  const filter = { board: ctx.boardId, type, minConfidence: 0, minRelevance }
  const { rows, nextCursor } = await readNodePage(ctx.db, filter, placeOf(cursor), limit)
  return { nodes: rows.map(nodeItem), nextCursor, truncated: nextCursor !== null }
}

async function surroundings(ctx: Context, center: string, options: Parameters<typeof walk>[3]) {
  const { nodes, truncated } = await walk(ctx.db, ctx.boardId, center, options)
  return { nodes: nodes.map(node => ({ ...nodeItem(node), distance: node.distance })), nextCursor: null, truncated }
}

export const getPath: Implementation<Graph['get_kg_path']> = async ({ query }, ctx) => {
  const path = await shortestPath(ctx.db, ctx.boardId, query.from, query.to, query.max_length)
  if (path === null) return { length: null, nodes: [], edges: [] }
  return {
    length: path.edges.length,
    nodes: path.nodes.map((node, distance) => ({ ...nodeItem(node), distance })),
    edges: path.edges,
  }
}

export const findSimilar = multiStep<Graph['find_similar_kg_nodes']>(async ({ params, query }, { environment }) => {
  const { top_k, min_similarity, include_superseded } = query
  const topic = topicOf('topic', query.topic, maxTopicLength)
  const type = typeOrAll(query.type)
  return environment.graph.search.similar(params.board_id, { topic, type, top_k, min_similarity, include_superseded })
})

export const searchGlobal = multiStep<Graph['search_kg_global']>(async ({ query }, steps) => {
  const { limit, min_similarity } = query
  const q = topicOf('q', query.q)
  const type = typeOrAll(query.type)
  const readable = () =>
    steps.read(async ctx => (await ctx.boardsAllowing('KG_READ')).map(access => access.way!.boardId))
  const found = await steps.environment.graph.search.global(await readable(), { q, limit, min_similarity, type })
  // Others had turns in between, and a board may no longer be visible (walls 4).
  const boards = new Set(await readable())
  const results = found.results.filter(({ board_id }) => boards.has(board_id))
  return { ...found, results, total: results.length }
})

export const getSupersedence: Implementation<Graph['get_kg_supersedence']> = async ({ params }, ctx) => {
  const node = await nodeOf(ctx, params.decision_id)
  if (node.node_type !== 'Decision') throw notFound('kg_node', params.decision_id)
  return readSupersedence(ctx.db, node)
}

export const listContradictions: Implementation<Graph['list_kg_contradictions']> = async ({ query }, ctx) => {
  const { node_id: node, limit, offset } = query
  if (node !== '') await nodeOf(ctx, node)
  const { contradictions, total } = await readContradictions(ctx.db, ctx.boardId, { node, limit, offset })
  return new ExplicitAnswer({ contradictions, total: contradictions.length }, { total })
}

export const getStats: Implementation<Graph['get_kg_stats']> = ({ query }, ctx) =>
  readStats(ctx.db, ctx.boardId, query.min_relevance)

export const getMetrics: Implementation<Graph['get_kg_metrics']> = (_, ctx) => readMetrics(ctx.db, ctx.boardId)

export const boostNode: Implementation<Graph['boost_kg_node']> = async ({ params, body }, ctx) => {
  const node = await nodeOf(ctx, params.node_id)
  const now = ctx.now()
  const { score, manual_boost } = boosted(node, now)
  const changes = await GraphChanges.begin(ctx.db, { boardId: ctx.boardId, sessionId: ctx.newId(), now })
  await changes.updateNode(node, { manual_boost, boosted_at: now, relevance_score: score, last_recomputed_at: now })
  await storeSession(ctx.db, changes, () => ctx.newId(), {
    artifact_id: node.id,
    artifact_type: 'node',
    agent_id: ctx.caller.id,
    started_at: now,
    nodes_updated: 1,
    nodes_superseded: 0,
    missing_links: 0,
    summary_text: body.reason === null || body.reason === '' ? 'Boost +0.3' : `Boost +0.3: ${body.reason}`,
    content_hash: null,
  })
  const answer = {
    node_id: node.id,
    node_type: node.node_type,
    score_before: node.relevance_score,
    score_after: score,
    boosted_by: ctx.caller.id,
  }
  await storeEvent(
    ctx.db,
    { now, newId: () => ctx.newId() },
    {
      boardId: ctx.boardId,
      type: 'kg.node.boosted',
      sessionId: changes.sessionId,
      payload: answer,
    },
  )
  ctx.afterCommit.push(() => ctx.environment.graph.signals.notify(ctx.boardId))
  return { ...answer, boosted_at: now }
}

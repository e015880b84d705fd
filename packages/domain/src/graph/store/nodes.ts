import type { KgNode, KgNodeDetail, NodeType } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { cursorOf, type PageEnd, start } from '../cursor.ts'
import { rounded } from '../scores.ts'
import type { NodeRow } from './rows.ts'

/** Selects nodes of a board for a list. */
export interface NodeFilter {
  readonly board: string
  readonly type: NodeType | null
  readonly minConfidence: number
  readonly minRelevance: number
}

/** A node in the form of a list item (knowledge-graph 7.3). */
export const nodeItem = (row: NodeRow): z.input<typeof KgNode> => ({
  id: row.id,
  node_type: row.node_type,
  title: row.title,
  content: row.content,
  created_at: row.created_at,
  source_confidence: rounded(row.source_confidence),
  relevance_score: rounded(row.relevance_score),
  source_artifact_ref: row.source_artifact_ref,
})

interface PageParameters {
  board: string
  type: string | null
  confidence: number
  relevance: number
  at: string
  id: string
  limit: number
}

const page = hot<PageParameters, NodeRow>(
  (_, param) =>
    sql<NodeRow>`select * from kg_nodes where board_id = ${param('board')}
        and (${param('type')} is null or node_type = ${param('type')})
        and source_confidence >= ${param('confidence')} and relevance_score >= ${param('relevance')}
        and created_at <= ${param('at')} and (created_at < ${param('at')} or id < ${param('id')})
      order by created_at desc, id desc limit ${param('limit')}`,
)

const count = hot<Omit<PageParameters, 'at' | 'id' | 'limit'>, { count: number }>(
  (_, param) =>
    sql<{ count: number }>`select count(*) as count from kg_nodes where board_id = ${param('board')}
        and (${param('type')} is null or node_type = ${param('type')})
        and source_confidence >= ${param('confidence')} and relevance_score >= ${param('relevance')}`,
)

const parametersOf = ({ board, type, minConfidence, minRelevance }: NodeFilter) => ({
  board,
  type,
  confidence: minConfidence,
  relevance: minRelevance,
})

/** A page of a board's nodes, newest first, and the cursor of the next page; null on the last page. */
export async function readNodePage(
  db: Db,
  filter: NodeFilter,
  place: PageEnd | null,
  limit: number,
): Promise<{ readonly rows: NodeRow[]; readonly nextCursor: string | null }> {
  const rows = await page(db, { ...parametersOf(filter), ...(place ?? start), limit })
  const last = rows.at(-1)
  const nextCursor = last === undefined || rows.length < limit ? null : cursorOf({ at: last.created_at, id: last.id })
  return { rows, nextCursor }
}

/** How many nodes of a board match a filter. */
export const countNodes = async (db: Db, filter: NodeFilter): Promise<number> =>
  (await count(db, parametersOf(filter)))[0]!.count

type Neighbour = z.input<typeof KgNodeDetail>['edges'][number]

/** Maximum number of edges shown with a node. */
const shownEdges = 200

const neighbours = hot<{ node: string; limit: number }, Neighbour>(
  (_, param) =>
    sql<Neighbour>`select * from (
        select e.edge_type, 'out' as direction, n.id as node_id, n.node_type, n.title, e.confidence, e.rule_id
          from kg_edges e join kg_nodes n on n.id = e.to_id and ${sameBoard('n', 'e')} where e.from_id = ${param('node')}
        union all
        select e.edge_type, 'in', n.id, n.node_type, n.title, e.confidence, e.rule_id
          from kg_edges e join kg_nodes n on n.id = e.from_id and ${sameBoard('n', 'e')} where e.to_id = ${param('node')}) edges
      order by confidence desc, edge_type, direction, node_id limit ${param('limit')}`,
)

/** A node with its edges, highest confidence first (knowledge-graph 7.4). */
export async function nodeDetail(db: Db, row: NodeRow): Promise<z.input<typeof KgNodeDetail>> {
  const edges = await neighbours(db, { node: row.id, limit: shownEdges })
  return {
    ...nodeItem(row),
    context: row.context,
    justification: row.justification,
    query_hits: row.query_hits,
    last_queried_at: row.last_queried_at,
    last_recomputed_at: row.last_recomputed_at,
    priority_boost: rounded(row.priority_boost),
    manual_boost: rounded(row.manual_boost),
    superseded_by: row.superseded_by,
    superseded_at: row.superseded_at,
    revocation_reason: row.revocation_reason,
    created_by_agent: row.created_by_agent,
    source_session_id: row.source_session_id,
    updated_at: row.updated_at,
    degree: row.degree,
    edges: edges.map(edge => ({ ...edge, confidence: rounded(edge.confidence) })),
  }
}

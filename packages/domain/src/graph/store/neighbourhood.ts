import { artifactTypes, type NodeType } from '@specboard/contract'
import { sql } from 'kysely'
import { notFound } from '../../kernel/errors.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { rounded } from '../scores.ts'
import { among, type EdgeRow, type NodeRow, nodesByIds, nodesOfRefs } from './rows.ts'

/** The fields of a node that the walk needs. */
interface WeighedNode {
  readonly id: string
  readonly node_type: NodeType
  readonly relevance_score: number
}

const centred = hot<{ board: string; id: string }, { id: string }>((db, param) =>
  db.selectFrom('kg_nodes').select('id').where('id', '=', param('id')).where('board_id', '=', param('board')),
)

/**
 * The id of the centre node, given its id, its reference, or the id of its record.
 * @throws DomainError NOT_FOUND
 */
async function centreOf(db: Db, board: string, center: string): Promise<string> {
  const [node] = await centred(db, { board, id: center })
  const refs = [center, ...artifactTypes.map(type => `${type}:${center}`)]
  const [named] = node === undefined ? await nodesOfRefs(db, board, refs) : [node]
  if (named === undefined) throw notFound('kg_node', center)
  return named.id
}

const adjacent = hot<{ ids: string }, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`select to_id as id from kg_edges where ${among('from_id', param('ids'))}
      union select from_id from kg_edges where ${among('to_id', param('ids'))}`,
)

const weighed = hot<{ ids: string }, WeighedNode>((db, param) =>
  db
    .selectFrom('kg_nodes')
    .select(['id', 'node_type', 'relevance_score'])
    .where(among('id', param('ids'))),
)

/** The nodes around a centre. */
export interface Neighbourhood {
  readonly nodes: readonly (NodeRow & { readonly distance: number })[]
  /** Whether there are more nodes within the depth than requested. */
  readonly truncated: boolean
}

/**
 * Walks from a node over edges in both directions: nearest nodes first, then most relevant, then by id
 * (knowledge-graph 7.5).
 */
export async function walk(
  db: Db,
  board: string,
  center: string,
  options: {
    readonly depth: number
    readonly limit: number
    readonly type: NodeType | null
    readonly minRelevance: number
  },
): Promise<Neighbourhood> {
  const centre = await centreOf(db, board, center)
  const distances = new Map([[centre, 0]])
  const found = [centre]
  let frontier = [centre]
  for (
    let distance = 1;
    distance <= options.depth && frontier.length > 0 && found.length <= options.limit;
    distance++
  ) {
    const reached = await adjacent(db, { ids: JSON.stringify(frontier) })
    frontier = reached.map(({ id }) => id).filter(id => !distances.has(id))
    for (const id of frontier) distances.set(id, distance)
    const nodes = await weighed(db, { ids: JSON.stringify(frontier) })
    const matching = nodes.filter(
      node =>
        (options.type === null || node.node_type === options.type) && node.relevance_score >= options.minRelevance,
    )
    matching.sort((a, b) => b.relevance_score - a.relevance_score || (a.id < b.id ? -1 : 1))
    found.push(...matching.map(({ id }) => id))
  }
  const ids = found.slice(0, options.limit)
  const rows = new Map((await nodesByIds(db, ids)).map(row => [row.id, row]))
  return {
    nodes: ids.map(id => ({ ...rows.get(id)!, distance: distances.get(id)! })),
    truncated: found.length > options.limit,
  }
}

const between = hot<{ ids: string }, EdgeRow>((db, param) =>
  db
    .selectFrom('kg_edges')
    .selectAll()
    .where(among('from_id', param('ids')))
    .where(among('to_id', param('ids'))),
)

/** All edges between these nodes, in the form in which the graph shows them. */
export async function edgesBetween(db: Db, ids: readonly string[]) {
  const edges = await between(db, { ids: JSON.stringify(ids) })
  return edges
    .map(({ from_id, to_id, edge_type, confidence, layer, rule_id }) => ({
      id: `${from_id}-${edge_type}-${to_id}`,
      source: from_id,
      target: to_id,
      edge_type,
      confidence: rounded(confidence),
      layer,
      rule_id,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

const steps = hot<{ ids: string }, { from: string; to: string }>(
  (_, param) =>
    sql<{ from: string; to: string }>`select from_id as "from", to_id as "to" from kg_edges
      where ${among('from_id', param('ids'))}
      union all select to_id, from_id from kg_edges where ${among('to_id', param('ids'))}`,
)

/** A path: the nodes from one end to the other, and the edges between consecutive nodes. */
export interface Path {
  readonly nodes: readonly NodeRow[]
  readonly edges: Awaited<ReturnType<typeof edgesBetween>>
}

/**
 * A shortest path between two nodes, over edges in both directions; null if none is short enough. If there are several,
 * the one with the lower node ids, compared from its end backwards (knowledge-graph 7.8).
 * @throws DomainError NOT_FOUND
 */
export async function shortestPath(
  db: Db,
  board: string,
  from: string,
  to: string,
  maxLength: number,
): Promise<Path | null> {
  const [start, end] = [await centreOf(db, board, from), await centreOf(db, board, to)]
  const cameFrom = new Map<string, string | null>([[start, null]])
  let frontier = [start]
  for (let length = 1; length <= maxLength && frontier.length > 0 && !cameFrom.has(end); length++) {
    const reached = new Map<string, string>()
    for (const step of await steps(db, { ids: JSON.stringify(frontier) })) {
      const current = reached.get(step.to)
      if (!cameFrom.has(step.to) && (current === undefined || step.from < current)) reached.set(step.to, step.from)
    }
    for (const [id, previous] of reached) cameFrom.set(id, previous)
    frontier = [...reached.keys()]
  }
  if (!cameFrom.has(end)) return null
  const ids: string[] = []
  for (let id: string | null = end; id !== null; id = cameFrom.get(id)!) ids.unshift(id)
  const rows = new Map((await nodesByIds(db, ids)).map(row => [row.id, row]))
  const edges = await edgesBetween(db, ids)
  return {
    nodes: ids.map(id => rows.get(id)!),
    edges: ids.slice(1).map((id, index) => surest(edges, ids[index]!, id)),
  }
}

/** The edge with the highest confidence between two connected nodes. */
const surest = (edges: Path['edges'], one: string, other: string): Path['edges'][number] =>
  edges
    .filter(({ source, target }) => (source === one && target === other) || (source === other && target === one))
    .reduce((best, edge) => (edge.confidence > best.confidence ? edge : best))

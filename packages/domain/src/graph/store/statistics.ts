import { edgeLayers, edgeTypes } from '@specboard/contract'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { rounded } from '../scores.ts'
import { schemaVersion } from './boards.ts'

interface NodeCount {
  readonly node_type: string
  readonly count: number
  readonly confidence: number
  readonly relevance: number
}

const nodeCounts = hot<{ board: string; relevance: number }, NodeCount>(
  (_, param) =>
    sql<NodeCount>`select node_type, count(*) as count, sum(source_confidence) as confidence,
        sum(relevance_score) as relevance from kg_nodes
      where board_id = ${param('board')} and relevance_score >= ${param('relevance')}
      group by node_type order by node_type`,
)

interface EdgeCount {
  readonly edge_type: string
  readonly layer: string
  readonly rule_id: string
  readonly count: number
}

const edgeCounts = hot<{ board: string }, EdgeCount>(
  (_, param) =>
    sql<EdgeCount>`select edge_type, layer, rule_id, count(*) as count from kg_edges
      where board_id = ${param('board')} group by edge_type, layer, rule_id
      order by edge_type, layer, rule_id`,
)

const waiting = hot<{ board: string }, { waiting: number; at: string | null }>(
  (_, param) =>
    sql<{ waiting: number; at: string | null }>`select
        (select count(*) from kg_queue where board_id = ${param('board')}) as waiting,
        (select max(committed_at) from kg_sessions where board_id = ${param('board')}
          and artifact_type <> 'node') as at`,
)

/** The sums of counts by a key. */
function summed<Row extends { readonly count: number }>(
  rows: readonly Row[],
  key: (row: Row) => string,
): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const row of rows) sums[key(row)] = (sums[key(row)] ?? 0) + row.count
  return sums
}

const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** How a board's graph was read, for old clients that expect one table per type of edge. */
export const edgeTables = { scanned: edgeTypes.length, failed: 0, errors: [] as string[] }

/** The counts and averages of a board's graph (knowledge-graph 7.6). */
export async function readStats(db: Db, board: string, minRelevance: number) {
  const nodes = await nodeCounts(db, { board, relevance: minRelevance })
  const edges = await edgeCounts(db, { board })
  const [queue] = await waiting(db, { board })
  const node_counts_by_type = summed(nodes, row => row.node_type)
  const count = total(node_counts_by_type)
  const mean = (of: 'confidence' | 'relevance') =>
    count === 0 ? 0 : nodes.reduce((sum, row) => sum + row[of], 0) / count
  return {
    schema_version: schemaVersion,
    graph_schema_version: schemaVersion,
    node_counts_by_type,
    edge_counts_by_type: summed(edges, row => row.edge_type),
    avg_confidence: Math.round(mean('confidence') * 100) / 100,
    avg_relevance: rounded(mean('relevance')),
    pending_queue_count: queue!.waiting,
    last_consolidation_at: queue!.at,
    min_relevance: minRelevance,
    edge_count_status: 'ok' as const,
    edge_count_tables_scanned: edgeTables.scanned,
    edge_count_tables_failed: edgeTables.failed,
    edge_count_errors: edgeTables.errors,
  }
}

/** Whether a board's graph has ever been started: it has a node or a session. */
export async function isBegun(db: Db, board: string): Promise<boolean> {
  const { rows } = await sql<{ begun: number }>`select exists (select 1 from kg_nodes where board_id = ${board})
    or exists (select 1 from kg_sessions where board_id = ${board}) as begun`.execute(db)
  return rows[0]!.begun === 1
}

/** How the edges of a board were derived (knowledge-graph 7.7). */
export async function readMetrics(db: Db, board: string) {
  const node_count_by_type = summed(await nodeCounts(db, { board, relevance: 0 }), row => row.node_type)
  const edges = await edgeCounts(db, { board })
  const byLayer = summed(edges, row => row.layer)
  const edges_total = total(byLayer)
  const counts = Object.fromEntries(edgeLayers.map(layer => [layer, byLayer[layer] ?? 0])) as Record<
    (typeof edgeLayers)[number],
    number
  >
  const ratio = (layer: (typeof edgeLayers)[number]) =>
    edges_total === 0 ? 0 : Math.round((counts[layer] / edges_total) * 1_000) / 1_000
  return {
    board_id: board,
    kg_bootstrapped: await isBegun(db, board),
    edge_count_by_layer: { ...counts, unknown: edges_total - total(counts) },
    edge_count_by_rule: summed(edges, row => row.rule_id),
    deterministic_edge_ratio: ratio('deterministic'),
    cognitive_edge_ratio: ratio('cognitive'),
    fallback_edge_ratio: ratio('fallback'),
    legacy_edge_ratio: ratio('legacy'),
    edges_total,
    nodes_total: total(node_count_by_type),
    node_count_by_type,
    health_targets: {
      deterministic_edge_ratio_min: 0.7,
      fallback_edge_ratio_max: 0.15,
      cognitive_edge_ratio_target_range: [0.15, 0.3],
    },
  }
}

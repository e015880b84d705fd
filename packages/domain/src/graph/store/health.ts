import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { KgTicksTable } from '../../schema/tables.ts'
import { rounded } from '../scores.ts'
import { schemaVersion } from './boards.ts'

/** An entry that waits longer than this counts as a problem, seconds. */
const longWait = 600

/** Incoming contradictions with a greater sum than this count as a problem. */
const heavyContradiction = 0.5

interface Numbers {
  readonly depth: number
  readonly oldest: string | null
  readonly dead: number
  readonly nodes: number
  readonly default_scores: number
  readonly relevance: number | null
  readonly contradicted: number
}

const numbers = hot<{ board: string }, Numbers>(
  (_, param) =>
    sql<Numbers>`select
        (select count(*) from kg_queue where board_id = ${param('board')} and status in ('pending', 'claimed')) as depth,
        (select min(triggered_at) from kg_queue where board_id = ${param('board')} and status = 'pending') as oldest,
        (select count(*) from kg_dead_letters where board_id = ${param('board')}) as dead,
        (select count(*) from kg_nodes where board_id = ${param('board')}) as nodes,
        (select count(*) from kg_nodes where board_id = ${param('board')}
          and relevance_score between 0.45 and 0.55) as default_scores,
        (select avg(relevance_score) from kg_nodes where board_id = ${param('board')}) as relevance,
        (select count(*) from (select to_id from kg_edges where board_id = ${param('board')}
          and edge_type = 'contradicts' group by to_id
          having sum(coalesce(confidence, 0.5)) > ${sql.lit(heavyContradiction)}) heavy) as contradicted`,
)

interface DisconnectedNode {
  readonly id: string
  readonly type: string
  readonly degree: number
}

const disconnected = hot<{ board: string; limit: number }, DisconnectedNode>(
  (_, param) =>
    sql<DisconnectedNode>`select id, node_type as type, degree from kg_nodes where board_id = ${param('board')}
      order by degree, id limit ${param('limit')}`,
)

const ticks = hot<{ board: string }, KgTicksTable>(
  (_, param) =>
    sql<KgTicksTable>`select t.* from kg_ticks t join boards b on b.id = ${param('board')}
      where t.board_id = b.id or (t.board_id is null and (t.owner_id is null or t.owner_id = b.owner_id)
        and t.started_at >= b.created_at)
      order by t.started_at desc, t.id desc limit 2`,
)

/** Seconds since a time, 3 decimals; 0 if the time is null. */
export const ageInSeconds = (since: string | null, nowMs: number): number =>
  since === null ? 0 : Math.max(0, nowMs - Date.parse(since)) / 1_000

/** The state of a board's graph (knowledge-graph 5.6). */
export async function readHealth(
  db: Db,
  board: string,
  { nowMs, tickRuns }: { readonly nowMs: number; readonly tickRuns: boolean },
) {
  const [found] = await numbers(db, { board })
  const { depth, oldest, dead, nodes, default_scores, relevance, contradicted } = found!
  const recent = await ticks(db, { board })
  const latest = recent[0]
  const finished = recent.find(tick => tick.completed_at !== null)
  const running = tickRuns && latest !== undefined && latest.completed_at === null
  const failed = latest !== undefined && !running && (latest.error !== null || latest.completed_at === null)
  const age = ageInSeconds(oldest, nowMs)
  return {
    queue_depth: depth,
    oldest_pending_age_s: age,
    dead_letter_count: dead,
    total_nodes: nodes,
    default_score_count: default_scores,
    default_score_ratio: nodes === 0 ? 0 : rounded(default_scores / nodes),
    avg_relevance: rounded(relevance ?? 0),
    top_disconnected_nodes: await disconnected(db, { board, limit: 10 }),
    schema_version: schemaVersion,
    health_schema_version: schemaVersion,
    graph_schema_version: schemaVersion,
    contradict_warn_count: contradicted,
    last_decay_tick_at: finished?.completed_at ?? null,
    last_tick_status: running
      ? ('running' as const)
      : latest === undefined
        ? null
        : failed
          ? ('failed' as const)
          : ('completed' as const),
    last_tick_error: running ? null : (latest?.error ?? null),
    nodes_recomputed_in_last_tick: finished?.nodes_recomputed ?? 0,
    tick_in_progress: running,
    status: dead > 0 || age > longWait || failed ? ('degraded' as const) : ('healthy' as const),
  }
}

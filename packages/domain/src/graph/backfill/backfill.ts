import { artifactTypes } from '@specboard/contract'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { storeEvent } from '../events/store.ts'
import { endRun, time, type Unit } from '../queue/claims.ts'
import { priorityRank } from '../queue/rules.ts'
import { readGraphBoard, writeGraphBoard } from '../store/boards.ts'

/** The table of each kind of record, in lineage order. */
const tables = artifactTypes.map((type, rank) => ({ type, table: `${type}s`, rank }))

interface Unqueued {
  readonly type: string
  readonly id: string
  readonly rank: number
}

const unqueued = hot<{ board: string }, Unqueued>((_, param) => {
  const selects = tables.map(
    ({ type, table, rank }) =>
      sql`select ${sql.lit(type)} as type, r.id, ${sql.lit(rank)} as rank, r.created_at from ${sql.table(table)} r
          where r.board_id = ${param('board')} and r.archived = 0 and r.status <> 'cancelled'
            and not exists (select 1 from kg_queue q where q.artifact_type = ${sql.lit(type)} and q.artifact_id = r.id)`,
  )
  return sql<Unqueued>`select type, id, rank from (${sql.join(selects, sql` union all `)}) order by rank, created_at, id`
})

const insertEntry = hot<
  {
    id: string
    board: string
    type: string
    artifact: string
    priority: number
    rank: number
    status: string
    now: string
    run: string
  },
  never
>(
  (_, param) =>
    sql<never>`insert into kg_queue (id, board_id, artifact_type, artifact_id, priority_rank, lineage_rank, source,
        status, triggered_at, attempts, errors, changed, run_id)
      values (${param('id')}, ${param('board')}, ${param('type')}, ${param('artifact')}, ${param('priority')},
        ${param('rank')}, 'historical_backfill', ${param('status')}, ${param('now')}, 0, '[]', 0, ${param('run')})`,
)

/** The entries of a backfill that are not finished. */
interface Remaining {
  readonly pending: number
  readonly claimed: number
  readonly paused: number
  readonly failed: number
}

const remainingOf = hot<{ board: string; run: string }, Remaining>(
  (_, param) =>
    sql<Remaining>`select
        (select count(*) from kg_queue where board_id = ${param('board')} and run_id = ${param('run')}
          and status = 'pending') as pending,
        (select count(*) from kg_queue where board_id = ${param('board')} and run_id = ${param('run')}
          and status = 'claimed') as claimed,
        (select count(*) from kg_queue where board_id = ${param('board')} and run_id = ${param('run')}
          and status = 'paused') as paused,
        (select count(*) from kg_dead_letters where board_id = ${param('board')} and run_id = ${param('run')}) as failed`,
)

const nothing: Remaining = { pending: 0, claimed: 0, paused: 0, failed: 0 }

const readRemaining = async (db: Db, board: string, run: string | null): Promise<Remaining> =>
  run === null ? nothing : (await remainingOf(db, { board, run }))[0]!

/**
 * Queues every record of a board that is not archived, cancelled or already queued (knowledge-graph 9.1). Returns how
 * many, or null when a backfill is already running.
 */
export async function startBackfill(db: Db, { nowMs, newId }: Unit, board: string): Promise<number | null> {
  const { run_id, consolidation_enabled } = await readGraphBoard(db, board)
  const { pending, claimed, paused } = await readRemaining(db, board, run_id)
  if (pending + claimed + paused > 0) return null
  const records = await unqueued(db, { board })
  const run = newId()
  const now = time(nowMs)
  for (const { type, id, rank } of records)
    await insertEntry(db, {
      id: newId(),
      board,
      type,
      artifact: id,
      priority: priorityRank('low'),
      rank,
      status: consolidation_enabled === 1 ? 'pending' : 'paused',
      now,
      run,
    })
  await writeGraphBoard(db, board, {
    run_id: run,
    run_total: records.length,
    run_removed: 0,
    run_cancelled: 0,
    run_started_at: now,
    run_finished_at: null,
  })
  await storeEvent(
    db,
    { now, newId },
    {
      boardId: board,
      type: 'kg.backfill.started',
      payload: { total: records.length, removed: 0, failed: 0 },
    },
  )
  await endRun(db, { nowMs, newId }, { board_id: board, run_id: run })
  return records.length
}

/** Removes the waiting entries of a backfill from the queue and returns how many; claimed entries are finished. */
export async function cancelBackfill(db: Db, { nowMs, newId }: Unit, board: string): Promise<number> {
  const { run_id, run_total, run_removed } = await readGraphBoard(db, board)
  if (run_id === null) return 0
  const { pending, claimed, paused, failed } = await readRemaining(db, board, run_id)
  if (pending + claimed + paused === 0) return 0
  const { numDeletedRows } = await db
    .deleteFrom('kg_queue')
    .where('board_id', '=', board)
    .where('run_id', '=', run_id)
    .where('status', 'in', ['pending', 'paused'])
    .executeTakeFirst()
  const removed = Number(numDeletedRows)
  await writeGraphBoard(db, board, { run_removed: run_removed + removed, run_cancelled: 1 })
  await storeEvent(
    db,
    { now: time(nowMs), newId },
    {
      boardId: board,
      type: 'kg.backfill.cancelled',
      payload: { total: run_total, removed: run_removed + removed, failed },
    },
  )
  await endRun(db, { nowMs, newId }, { board_id: board, run_id })
  return removed
}

const hasNode = hot<{ board: string }, { has: number }>(
  (_, param) => sql<{ has: number }>`select exists (select 1 from kg_nodes where board_id = ${param('board')}) as has`,
)

type Status = 'cancelled' | 'in_progress' | 'paused' | 'completed_with_errors' | 'completed' | 'inactive'

function statusOf(total: number, cancelled: boolean, { pending, claimed, paused, failed }: Remaining): Status {
  if (cancelled && pending + claimed + paused === 0) return 'cancelled'
  if (pending + claimed > 0) return 'in_progress'
  if (paused > 0) return 'paused'
  if (total === 0) return 'inactive'
  return failed > 0 ? 'completed_with_errors' : 'completed'
}

/** The progress of the last backfill of a board (knowledge-graph 9.3). */
export async function readProgress(db: Db, board: string) {
  const run = await readGraphBoard(db, board)
  const remaining = await readRemaining(db, board, run.run_id)
  const { pending, claimed, paused } = remaining
  const total = run.run_id === null ? 0 : run.run_total
  const status = statusOf(total, run.run_cancelled === 1, remaining)
  const completed = status === 'completed' || status === 'completed_with_errors'
  const stale = completed && (await hasNode(db, { board }))[0]!.has === 0
  const times = { started_at: run.run_started_at, finished_at: run.run_finished_at }
  if (stale)
    return { enabled: false, status: 'inactive' as const, total: 0, progress: 0, ...remaining, stale, ...times }
  const progress = total - (pending + claimed + paused) - run.run_removed
  return { enabled: total > 0, status, total, progress, ...remaining, stale, ...times }
}

/** How many entries of the running backfill are finished; 0 when none is running. */
export async function processedOf(db: Db, board: string): Promise<number> {
  const { status, progress } = await readProgress(db, board)
  return status === 'in_progress' || status === 'paused' ? progress : 0
}

const parts = [
  'kg_session_changes',
  'kg_sessions',
  'kg_edges',
  'kg_vectors',
  'kg_nodes',
  'kg_queue',
  'kg_dead_letters',
  'kg_stream_events',
] as const

/** Deletes the graph of a board with its queue, sessions and events, but not its settings (knowledge-graph 9.4). */
export async function clearBoard(db: Db, { nowMs, newId }: Unit, board: string, by: string): Promise<void> {
  const { removals, revision } = await readGraphBoard(db, board)
  for (const part of parts) await db.deleteFrom(part).where('board_id', '=', board).execute()
  await writeGraphBoard(db, board, {
    removals: removals + 1,
    revision: revision + 1,
    run_id: null,
    run_total: 0,
    run_removed: 0,
    run_cancelled: 0,
    run_started_at: null,
    run_finished_at: null,
  })
  await storeEvent(
    db,
    { now: time(nowMs), newId },
    {
      boardId: board,
      type: 'kg.board.cleared',
      payload: { cleared_by: by },
    },
  )
}

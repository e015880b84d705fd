import { artifactTypes } from '@specboard/contract'
import { groupOf } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { partsOfBoards, removeRows } from '../../schema/rows-of-board.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { storeEvent } from '../events/store.ts'
import { endRun, time, type Unit } from '../queue/claims.ts'
import { priorityRank } from '../queue/rules.ts'
import { readGraphBoard, writeGraphBoard } from '../store/boards.ts'

/** The table of each kind of record, in lineage order. */
const tables = artifactTypes.map((type, rank) => ({ type, table: `${type}s`, rank }))

/** Records examined and queued in one unit of work. */
const atOnce = 100

interface Candidate {
  readonly id: string
  readonly number: number
  /** Whether it should be queued. */
  readonly wanted: number
}

const candidates = tables.map(({ type, table }) =>
  hot<{ board: string; after: number; limit: number }, Candidate>(
    (_, param) =>
      sql<Candidate>`select r.id, r.number, r.archived = 0 and r.status <> 'cancelled' and not exists (
            select 1 from kg_queue q where q.artifact_type = ${sql.lit(type)} and q.artifact_id = r.id and ${sameBoard('q', 'r')}) as wanted
        from ${sql.table(table)} r where r.board_id = ${param('board')} and r.number > ${param('after')}
        order by r.number limit ${param('limit')}`,
  ),
)

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

const inQueue = (run: string, status: string) =>
  sql`(select count(*) from kg_queue where run_id = ${run} and status = ${sql.lit(status)})`

const remainingOf = hot<{ board: string; run: string }, Remaining>(
  (_, param) =>
    sql<Remaining>`select ${inQueue(param('run'), 'pending')} as pending, ${inQueue(param('run'), 'claimed')} as claimed,
        ${inQueue(param('run'), 'paused')} as paused,
        (select count(*) from kg_dead_letters where board_id = ${param('board')} and run_id = ${param('run')}) as failed`,
)

const nothing: Remaining = { pending: 0, claimed: 0, paused: 0, failed: 0 }

const readRemaining = async (db: Db, board: string, run: string | null): Promise<Remaining> =>
  run === null ? nothing : (await remainingOf(db, { board, run }))[0]!

const anyEntry = hot<{ run: string }, { id: string }>((db, param) =>
  db.selectFrom('kg_queue').select('id').where('run_id', '=', param('run')).limit(1),
)

/** Whether a backfill has entries that are not finished. */
const isRunning = async (db: Db, run: string | null): Promise<boolean> =>
  run !== null && (await anyEntry(db, { run })).length > 0

/** A backfill whose records are being queued; it becomes the board's once all of them are. */
export interface Backfill {
  readonly board: string
  readonly run: string
  readonly startedAt: string
}

/** A new backfill of a board, or null when one is running. */
export async function newBackfill(db: Db, { nowMs, newId }: Unit, board: string): Promise<Backfill | null> {
  const { run_id } = await readGraphBoard(db, board)
  return (await isRunning(db, run_id)) ? null : { board, run: newId(), startedAt: time(nowMs) }
}

/** Where the queueing of a backfill continues. */
export interface BackfillPosition {
  /** The kind of record, by its rank in the lineage. */
  readonly rank: number
  /** The number of the last record examined. */
  readonly number: number
}

/** Where the queueing begins. */
export const firstPlace: BackfillPosition = { rank: 0, number: 0 }

/**
 * Queues some of the records that are not archived, cancelled or already queued (knowledge-graph 9.1). Returns how
 * many, and the place after them, which is undefined after the last record.
 */
export async function queueSome(
  db: Db,
  newId: () => string,
  { board, run, startedAt }: Backfill,
  { rank, number }: BackfillPosition,
): Promise<{ readonly queued: number; readonly next: BackfillPosition | undefined }> {
  const { consolidation_enabled } = await readGraphBoard(db, board)
  const found = await candidates[rank]!(db, { board, after: number, limit: atOnce })
  const queueable = found.filter(candidate => candidate.wanted === 1)
  for (const { id } of queueable)
    await insertEntry(db, {
      id: newId(),
      board,
      type: tables[rank]!.type,
      artifact: id,
      priority: priorityRank('low'),
      rank,
      status: consolidation_enabled === 1 ? 'pending' : 'paused',
      now: startedAt,
      run,
    })
  const last = found.length < atOnce ? undefined : found.at(-1)
  const next = last === undefined ? { rank: rank + 1, number: 0 } : { rank, number: last.number }
  return { queued: queueable.length, next: next.rank < tables.length ? next : undefined }
}

/** Makes a backfill the board's, once its records are queued. */
export async function startBackfill(
  db: Db,
  unit: Unit,
  { board, run, startedAt }: Backfill,
  total: number,
): Promise<void> {
  await writeGraphBoard(db, board, {
    run_id: run,
    run_total: total,
    run_removed: 0,
    run_cancelled: 0,
    run_started_at: startedAt,
    run_finished_at: null,
  })
  await storeEvent(
    db,
    { now: time(unit.nowMs), newId: unit.newId },
    {
      boardId: board,
      type: 'kg.backfill.started',
      payload: { total, removed: 0, failed: 0 },
    },
  )
  await endRun(db, unit, { board_id: board, run_id: run })
}

/**
 * Removes some of the waiting entries of a backfill from the queue and returns how many, and whether there are more;
 * claimed entries are finished.
 */
export async function cancelSome(
  db: Db,
  board: string,
): Promise<{ readonly removed: number; readonly run: string | null; readonly more: boolean }> {
  const { run_id: run, run_removed } = await readGraphBoard(db, board)
  if (!(await isRunning(db, run))) return { removed: 0, run: null, more: false }
  const { numAffectedRows = 0n } = await sql`delete from kg_queue where id in (select id from kg_queue
    where run_id = ${run} and status in ('pending', 'paused') limit ${atOnce})`.execute(db)
  const removed = Number(numAffectedRows)
  await writeGraphBoard(db, board, { run_removed: run_removed + removed, run_cancelled: 1 })
  return { removed, run, more: removed === atOnce }
}

/** Reports a backfill whose waiting entries were removed, and ends it unless entries are claimed. */
export async function endCancelled(db: Db, unit: Unit, board: string, run: string): Promise<void> {
  const { run_total, run_removed } = await readGraphBoard(db, board)
  const { failed } = await readRemaining(db, board, run)
  await storeEvent(
    db,
    { now: time(unit.nowMs), newId: unit.newId },
    {
      boardId: board,
      type: 'kg.backfill.cancelled',
      payload: { total: run_total, removed: run_removed, failed },
    },
  )
  await endRun(db, unit, { board_id: board, run_id: run })
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

/** The tables of a board's graph, except its settings and the times of its ticks. */
const parts = partsOfBoards.filter(({ table }) => table.startsWith('kg_') && table !== 'kg_ticks')

/**
 * Deletes the graph of a board with its queue, sessions and events, but not its settings (knowledge-graph 9.4). Large
 * parts are deleted over several turns of the event loop.
 */
export async function clearBoard(db: Db, { nowMs, newId }: Unit, board: string, by: string): Promise<void> {
  const { removals, revision } = await readGraphBoard(db, board)
  const inTurn = async <Value>(run: (db: Db) => Promise<Value>): Promise<Value> => {
    const value = await run(db)
    await groupOf(db).turn()
    return value
  }
  await removeRows(inTurn, parts, board)
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

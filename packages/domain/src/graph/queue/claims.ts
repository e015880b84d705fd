import { dialect, type Param, perDialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { hasEnded } from '../../kernel/leases.ts'
import { toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { KgQueueTable } from '../../schema/tables.ts'
import { storeEvent } from '../events/store.ts'
import { readGraphBoard } from '../store/boards.ts'
import { afterFailure } from './failure.ts'

/** The time and the source of ids for what a unit of work writes. */
export interface Unit {
  readonly nowMs: number
  readonly newId: () => string
}

/** A time in ms as a timestamp. */
export const time = (ms: number): string => new Date(ms).toISOString()

const order = sql`q.priority_rank, q.triggered_at, q.lineage_rank, q.id`

/** The parameters of `claim` and `claimOf`. */
interface ClaimParameters {
  readonly claim: string
  readonly now: string
  readonly timeout: string
  readonly node: string
  readonly except: string
}

const claiming = (param: Param<ClaimParameters>) => sql`update kg_queue set status = 'claimed',
  claimed_by_session_id = ${param('claim')}, claimed_at = ${param('now')}, claim_timeout_at = ${param('timeout')},
  node_id = ${param('node')}`

/** Skips an entry that another node is claiming or changing right now. */
const unlocked = perDialect(sql``, sql`for update of q skip locked`)

/** The id of the first entry of a board that is due. */
const firstDue = (board: RawBuilder<unknown> | string, param: Param<ClaimParameters>) =>
  sql`select q.id from kg_queue q where q.board_id = ${board} and q.status = 'pending'
    and (q.next_retry_at is null or q.next_retry_at <= ${param('now')})
    and not ${dialect.inList(sql.ref('q.id'), param('except'))} order by ${order} limit 1`

const isFirst = dialect.inFew(sql.ref('q.id'), sql`select id from firsts`)

/** Compares the first entries of all boards, so that a claim takes the same time however many entries wait. */
const claim = hot<ClaimParameters, KgQueueTable>((_, param) => {
  const nextBoard = sql`select min(board_id) from kg_queue`
  return sql<KgQueueTable>`with recursive waiting (board_id) as (
        ${nextBoard} union all select (${nextBoard} where board_id > waiting.board_id) from waiting
        where waiting.board_id is not null),
      firsts (id) as (select (${firstDue(sql.ref('waiting.board_id'), param)}) from waiting
        where not exists (select 1 from kg_queue c where c.board_id = waiting.board_id and c.status = 'claimed'))
      ${claiming(param)}
      where id = (select q.id from kg_queue q where ${isFirst} and q.status = 'pending'
        order by ${order} limit 1 ${unlocked})
      returning *`
})

const claimOf = hot<ClaimParameters & { readonly board: string }, KgQueueTable>(
  (_, param) => sql<KgQueueTable>`${claiming(param)} where id = (${firstDue(param('board'), param)}) returning *`,
)

/** The claiming node, the maximum duration of the claim, and the ids of entries to skip. */
export interface QueueClaim {
  readonly node: string
  readonly timeoutSeconds: number
  readonly except?: readonly string[]
}

/** The columns of a new claim. */
const claimedNow = ({ nowMs, newId }: Unit, { node, timeoutSeconds, except = [] }: QueueClaim): ClaimParameters => ({
  claim: newId(),
  now: time(nowMs),
  timeout: time(nowMs + timeoutSeconds * 1_000),
  node,
  except: JSON.stringify(except),
})

/** Claims the next entry that is due, on a board without a claimed entry; undefined when there is none. */
export async function claimNext(db: Db, unit: Unit, claiming: QueueClaim): Promise<KgQueueTable | undefined> {
  return (await claim(db, claimedNow(unit, claiming)))[0]
}

/** Claims the next entry of a board that is due; the caller has just ended the only claim on it. */
export async function claimNextOf(
  db: Db,
  unit: Unit,
  boardId: string,
  claiming: QueueClaim,
): Promise<KgQueueTable | undefined> {
  return (await claimOf(db, { ...claimedNow(unit, claiming), board: boardId }))[0]
}

const claimed = hot<{ id: string; claim: string }, KgQueueTable>((db, param) =>
  db
    .selectFrom('kg_queue')
    .selectAll()
    .where('id', '=', param('id'))
    .where('claimed_by_session_id', '=', param('claim')),
)

/** The current row of a claimed entry; undefined when the claim was lost or the entry deleted. */
export const readClaim = async (
  db: Db,
  { id, claimed_by_session_id }: Pick<KgQueueTable, 'id' | 'claimed_by_session_id'>,
): Promise<KgQueueTable | undefined> => (await claimed(db, { id, claim: claimed_by_session_id ?? '' }))[0]

/** Makes an entry pending again, or paused if consolidation is off for its board. */
async function unclaim(db: Db, { id, board_id }: KgQueueTable, columns: Partial<KgQueueTable> = {}): Promise<void> {
  const { consolidation_enabled } = await readGraphBoard(db, board_id)
  await updateRow(db, 'kg_queue', id, {
    status: consolidation_enabled === 1 ? 'pending' : 'paused',
    claimed_by_session_id: null,
    claimed_at: null,
    claim_timeout_at: null,
    node_id: null,
    changed: 0,
    ...columns,
  })
}

/** Releases a claim as if it had never been made. */
export const releaseClaim = (db: Db, entry: KgQueueTable): Promise<void> => unclaim(db, entry)

const remove = hot<{ id: string }, never>((db, param) => db.deleteFrom('kg_queue').where('id', '=', param('id')))

/** Resets the attempts of an entry whose record changed meanwhile; it is due immediately. */
const freshAttempts = { attempts: 0, errors: toJson([]), next_retry_at: null } as const

/** Ends a claim whose work is done; if the record changed meanwhile, the entry is pending again. */
export async function finishClaim(db: Db, unit: Unit, entry: KgQueueTable): Promise<void> {
  if (entry.changed === 1) await unclaim(db, entry, { ...freshAttempts, last_error: null, run_id: null })
  else await remove(db, { id: entry.id })
  await endRun(db, unit, entry)
}

/** Ends a claim whose work failed: the entry waits for a retry or becomes a dead letter; returns whether it became one. */
export async function failClaim(
  db: Db,
  unit: Unit,
  entry: KgQueueTable,
  error: unknown,
  { maxAttempts, withTrace }: { readonly maxAttempts: number; readonly withTrace: boolean },
): Promise<boolean> {
  const failed = afterFailure(entry, error, { nowMs: unit.nowMs, maxAttempts, withTrace })
  if (entry.changed === 1) {
    await unclaim(db, entry, { ...freshAttempts, last_error: failed.last_error })
    return false
  }
  if (!failed.dead) {
    const { dead, ...columns } = failed
    await unclaim(db, entry, columns)
    return false
  }
  const { artifact_type, artifact_id, board_id, run_id } = entry
  const id = unit.newId()
  await insertRow(db, 'kg_dead_letters', {
    id,
    board_id,
    artifact_type,
    artifact_id,
    original_queue_id: entry.id,
    attempts: failed.attempts,
    errors: failed.errors,
    run_id,
    dead_lettered_at: time(unit.nowMs),
  })
  await remove(db, { id: entry.id })
  await storeEvent(
    db,
    { now: time(unit.nowMs), newId: unit.newId },
    {
      boardId: board_id,
      type: 'kg.queue.dead_letter',
      payload: {
        dead_letter_id: id,
        artifact_type,
        artifact_id,
        attempts: failed.attempts,
        last_error: failed.last_error,
      },
    },
  )
  await endRun(db, unit, entry)
  return true
}

const timedOut = hot<{ now: string }, KgQueueTable>((db, param) =>
  db
    .selectFrom('kg_queue')
    .selectAll()
    .where('status', '=', sql.lit('claimed'))
    .where('claim_timeout_at', '<=', param('now')),
)

/** The claims past their timeout. */
export const timedOutClaims = (db: Db, nowMs: number): Promise<KgQueueTable[]> => timedOut(db, { now: time(nowMs) })

/** The claims of processes that have died. */
export const leftClaims = (db: Db): Promise<KgQueueTable[]> =>
  db
    .selectFrom('kg_queue')
    .selectAll()
    // As a literal: the index contains only claimed ones.
    .where('status', '=', sql.lit('claimed'))
    .where(eb => hasEnded(eb.ref('kg_queue.node_id')))
    .execute()

/** When the next retry is due; null when no entry waits for one. */
export const nextRetryAt = async (db: Db): Promise<string | null> => (await nextRetry(db, {}))[0]?.at ?? null

const nextRetry = hot<object, { at: string | null }>(db =>
  db
    .selectFrom('kg_queue')
    .select('next_retry_at as at')
    .where('status', '=', sql.lit('pending'))
    .where('next_retry_at', 'is not', null)
    .orderBy('next_retry_at')
    .limit(1),
)

// Runs each time an entry is finished, so it only asks whether any entry is left: counting would take longer than the
// rest.
const finishedRun = hot<{ run: string }, { failed: number }>(
  (_, param) =>
    sql<{ failed: number }>`select
        (select count(*) from kg_dead_letters where board_id = b.board_id and run_id = b.run_id) as failed
      from kg_boards b where b.run_id = ${param('run')} and b.run_finished_at is null
        and not exists (select 1 from kg_queue where board_id = b.board_id and run_id = b.run_id)`,
)

/** Ends a backfill when its last entry is finished. */
export async function endRun(
  db: Db,
  { nowMs, newId }: Unit,
  { board_id, run_id }: Pick<KgQueueTable, 'board_id' | 'run_id'>,
): Promise<void> {
  if (run_id === null) return
  const [run] = await finishedRun(db, { run: run_id })
  if (run === undefined) return
  const { run_total, run_removed, run_cancelled } = await db
    .updateTable('kg_boards')
    .set({ run_finished_at: time(nowMs) })
    .where('run_id', '=', run_id)
    .returning(['run_total', 'run_removed', 'run_cancelled'])
    .executeTakeFirstOrThrow()
  if (run_cancelled === 1) return
  await storeEvent(
    db,
    { now: time(nowMs), newId },
    {
      boardId: board_id,
      type: 'kg.backfill.completed',
      payload: { total: run_total, removed: run_removed, failed: run.failed },
    },
  )
}

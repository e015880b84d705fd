import type { ArtifactType } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Unit } from '../../kernel/context.ts'
import { blocked, notFound } from '../../kernel/errors.ts'
import { toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { updateRow } from '../../schema/rows.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { KgDeadLettersTable, KgQueueTable } from '../../schema/tables.ts'
import { readGraphBoard } from '../store/boards.ts'
import { enqueue } from './entries.ts'

interface Descendant {
  readonly type: ArtifactType
  readonly id: string
}

const ofOwners = dialect.inFew(sql.ref('spec_id'), sql`select id from owners`)

/** Everything below a record: refinements, specs, sprints and cards (knowledge-graph 4.6). No two records share an id. */
const descendants = hot<OnBoard, Descendant>(
  (_, param) =>
    sql<Descendant>`with refs as (select id, created_at from refinements
          where ideation_id = ${param('id')} and ${onBoard('refinements', param('board_id'))}),
        below as (select id, created_at from specs
          where ${onBoard('specs', param('board_id'))} and (ideation_id = ${param('id')} or refinement_id = ${param('id')}
            or ${dialect.inFew(sql.ref('refinement_id'), sql`select id from refs`)})),
        owners as (select id from below union select ${param('id')}),
        runs as (select id, created_at from sprints where ${ofOwners} and ${onBoard('sprints', param('board_id'))}),
        tasks as (select id, created_at from cards
          where ${onBoard('cards', param('board_id'))} and (${ofOwners} or sprint_id = ${param('id')}))
      select type, id from (
        select 'refinement' as type, id, created_at, 1 as rank from refs
        union all select 'spec', id, created_at, 2 from below
        union all select 'sprint', id, created_at, 3 from runs
        union all select 'card', id, created_at, 4 from tasks) related
      order by rank, created_at, id`,
)

const entryOf = hot<{ type: string; id: string }, KgQueueTable>((db, param) =>
  db
    .selectFrom('kg_queue')
    .selectAll()
    .where('artifact_type', '=', param('type') as 'card')
    .where('artifact_id', '=', param('id')),
)

/** Puts an entry back to the start of its attempts. */
async function reset(db: Db, board: string, id: string, source: string): Promise<void> {
  const { consolidation_enabled } = await readGraphBoard(db, board)
  await updateRow(db, 'kg_queue', id, {
    status: consolidation_enabled === 1 ? 'pending' : 'paused',
    source,
    attempts: 0,
    errors: toJson([]),
    last_error: null,
    next_retry_at: null,
    claimed_by_session_id: null,
    claimed_at: null,
    claim_timeout_at: null,
    changed: 0,
  })
}

const inProgress = (entry: KgQueueTable, now: string): boolean =>
  entry.status === 'claimed' && (entry.claim_timeout_at ?? '') > now

/** What an id in the queue can refer to. */
type EntryOrLetter =
  | { readonly entry: KgQueueTable; readonly letter?: undefined }
  | { readonly entry?: undefined; readonly letter: KgDeadLettersTable }

/**
 * The entry of a board's queue with this id, else its newest dead letter with this id.
 * @throws DomainError NOT_FOUND
 */
export async function readEntryOrLetter(db: Db, board: string, id: string): Promise<EntryOrLetter> {
  const entry = (await db.selectFrom('kg_queue').selectAll().where('id', '=', id).executeTakeFirst()) as
    | KgQueueTable
    | undefined
  if (entry?.board_id === board) return { entry }
  const letter = (await db
    .selectFrom('kg_dead_letters')
    .selectAll()
    .where('board_id', '=', board)
    .where(eb => eb.or([eb('id', '=', id), eb('original_queue_id', '=', id)]))
    .orderBy('id', 'desc')
    .executeTakeFirst()) as KgDeadLettersTable | undefined
  if (letter === undefined) throw notFound('kg_queue_entry', id)
  return { letter }
}

/** Resets the entry, or queues the dead letter's record as a new entry; returns the id of the entry and its record. */
async function reopen(db: Db, unit: Unit, board: string, id: string): Promise<Descendant & { entryId: string }> {
  const { entry, letter } = await readEntryOrLetter(db, board, id)
  if (letter === undefined) {
    if (inProgress(entry, unit.now))
      throw blocked('ENTRY_IN_PROGRESS', 'This entry is being worked on. Wait until it is done or fails.')
    await reset(db, board, id, 'retry_from_ui')
    return { type: entry.artifact_type, id: entry.artifact_id, entryId: id }
  }
  const { artifact_type: type, artifact_id } = letter
  const source = 'dead_letter_retry'
  const [waiting] = await entryOf(db, { type, id: artifact_id })
  await db.deleteFrom('kg_dead_letters').where('id', '=', letter.id).execute()
  const request = { boardId: board, type, id: artifact_id, source, event: null, priority: 'high' } as const
  const queuedId = await enqueue(db, unit, request)
  const entryId = waiting?.id ?? queuedId
  if (waiting !== undefined && !inProgress(waiting, unit.now)) await reset(db, board, entryId, source)
  return { type, id: artifact_id, entryId }
}

/**
 * Puts an entry or dead letter back to the start of its attempts, on request with everything below its record
 * (knowledge-graph 4.6). Returns the ids of the entries, the requested one first.
 * @throws DomainError NOT_FOUND, ENTRY_IN_PROGRESS
 */
export async function retry(
  db: Db,
  unit: Unit,
  board: string,
  { id, recursive }: { readonly id: string; readonly recursive: boolean },
): Promise<string[]> {
  const root = await reopen(db, unit, board, id)
  if (!recursive) return [root.entryId]
  const ids = [root.entryId]
  const source = 'retry_from_ui_recursive'
  for (const { type, id: artifact } of await descendants(db, { id: root.id, board_id: board })) {
    const [entry] = await entryOf(db, { type, id: artifact })
    if (entry !== undefined && inProgress(entry, unit.now)) continue
    if (entry === undefined)
      ids.push(await enqueue(db, unit, { boardId: board, type, id: artifact, source, event: null, priority: 'normal' }))
    else {
      await reset(db, board, entry.id, source)
      ids.push(entry.id)
    }
  }
  return ids
}

/** Pauses or resumes the waiting entries of a board. */
export const pauseQueue = (db: Db, board: string, paused: boolean): Promise<unknown> =>
  db
    .updateTable('kg_queue')
    .set({ status: paused ? 'paused' : 'pending' })
    .where('board_id', '=', board)
    .where('status', '=', paused ? 'pending' : 'paused')
    .execute()

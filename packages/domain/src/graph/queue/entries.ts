import { type ArtifactType, artifactTypes, type KgQueueEntry } from '@specboard/contract'
import { dialect, groupOf } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Unit } from '../../kernel/context.ts'
import type { Entry } from '../../kernel/events.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { inPieces } from '../../schema/in-pieces.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { KgQueueTable } from '../../schema/tables.ts'
import { dependentsOf, priorities, priorityRank, requestsOf } from './rules.ts'

/** A record to be consolidated. */
export interface QueueEntry {
  readonly boardId: string
  readonly type: ArtifactType
  readonly id: string
  readonly source: string
  readonly event: string | null
  readonly priority: (typeof priorities)[number]
}

/**
 * A single statement, so that it adds as little as possible to a write. A waiting entry keeps its place and its
 * attempts start again; a claimed entry is marked as changed (knowledge-graph 4.2). An entry that is already in that
 * state is not written again.
 */
const upsert = hot<
  {
    id: string
    board: string
    type: string
    artifact: string
    priority: number
    lineage: number
    source: string
    now: string
    event: string | null
  },
  never
>(
  (_, param) =>
    sql<never>`insert into kg_queue (id, board_id, artifact_type, artifact_id, priority_rank, lineage_rank,
        source, status, triggered_at, triggered_by_event, attempts, errors, changed)
      select ${param('id')}, id, ${param('type')}, ${param('artifact')}, ${param('priority')},
        ${param('lineage')}, ${param('source')},
        case when exists (select 1 from kg_boards where board_id = boards.id and consolidation_enabled = 0)
          then 'paused' else 'pending' end,
        ${param('now')}, ${param('event')}, 0, '[]', 0
      from boards where id = ${param('board')}
      on conflict (${dialect.keyOnBoard(['artifact_type', 'artifact_id'])}) do update set
        priority_rank = case when excluded.priority_rank < kg_queue.priority_rank
          then excluded.priority_rank else kg_queue.priority_rank end,
        attempts = case when kg_queue.status = 'claimed' then kg_queue.attempts else 0 end,
        errors = case when kg_queue.status = 'claimed' then kg_queue.errors else '[]' end,
        next_retry_at = null,
        changed = case when kg_queue.status = 'claimed' then 1 else 0 end
      where excluded.priority_rank < kg_queue.priority_rank or kg_queue.next_retry_at is not null
        or case when kg_queue.status = 'claimed' then kg_queue.changed = 0
          else kg_queue.attempts > 0 or kg_queue.errors <> '[]' or kg_queue.changed = 1 end`,
)

/** Queues a record or renews its entry. Returns the id of the entry if it is new; an existing entry keeps its own. */
export async function enqueue(db: Db, { now, newId }: Unit, entry: QueueEntry): Promise<string> {
  const id = newId()
  await upsert(db, {
    id,
    board: entry.boardId,
    type: entry.type,
    artifact: entry.id,
    priority: priorityRank(entry.priority),
    lineage: artifactTypes.indexOf(entry.type),
    source: entry.source,
    now,
    event: entry.event,
  })
  return id
}

const bugs = {
  spec: hot<{ board: string; id: string }, { id: string }>(
    (_, param) => sql<{ id: string }>`select id from cards
      where spec_id = ${param('id')} and ${onBoard('cards', param('board'))} and card_type = 'bug'`,
  ),
  card: hot<{ board: string; id: string }, { id: string }>(
    (_, param) =>
      sql<{ id: string }>`select id from cards where board_id = ${param('board')} and card_type = 'bug'
          and origin_task_id = ${param('id')}
        union select id from cards where board_id = ${param('board')} and card_type = 'bug'
          and linked_test_task_ids <> '[]' and linked_test_task_ids like '%"' || ${param('id')} || '"%'`,
  ),
}

/** Queues the bugs that read a spec or refer to a card. */
export async function enqueueBugs(
  db: Db,
  unit: Unit,
  boardId: string,
  { bugsOf, id, event }: { readonly bugsOf: 'spec' | 'card'; readonly id: string; readonly event: string },
): Promise<void> {
  for (const bug of await bugs[bugsOf](db, { board: boardId, id }))
    await enqueue(db, unit, {
      boardId,
      type: 'card',
      id: bug.id,
      source: `event:${event}`,
      event,
      priority: 'normal',
    })
}

/** Queues the records that a write changed, in the write's transaction. `Context.record` calls it for each entry. */
export async function queueConsolidation(db: Db, unit: Unit, entry: Entry): Promise<void> {
  const { boardId } = entry
  for (const { type, id, event, priority } of requestsOf(entry)) {
    const request = { boardId, type, id, source: `event:${event}`, event, priority }
    groupOf(db).postpone(`queue ${type} ${id} ${priority}`, at => enqueue(at, unit, request))
  }
  await inPieces(db, dependentsOf(entry), async piece => {
    for (const dependents of piece) await enqueueBugs(db, unit, boardId, dependents)
  })
}

/** An entry in the form of an answer. */
export const entryOf = (row: KgQueueTable): z.input<typeof KgQueueEntry> => ({
  id: row.id,
  board_id: row.board_id,
  artifact_id: row.artifact_id,
  artifact_type: row.artifact_type,
  priority: priorities[row.priority_rank]!,
  source: row.source,
  status: row.status,
  triggered_at: row.triggered_at,
  triggered_by_event: row.triggered_by_event,
  claimed_by_session_id: row.claimed_by_session_id,
  claimed_at: row.claimed_at,
  claim_timeout_at: row.claim_timeout_at,
  next_retry_at: row.next_retry_at,
  attempts: row.attempts,
  last_error: row.last_error,
})

import type { Unit } from '../../kernel/context.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow } from '../../schema/rows.ts'
import type { KgStreamEventsTable } from '../../schema/tables.ts'

/** An event of a board's graph that has no number yet. */
export interface GraphEvent {
  readonly boardId: string
  readonly type: string
  readonly sessionId?: string | null
  readonly payload: Readonly<Record<string, unknown>>
}

/** An event in the form in which it is streamed (knowledge-graph 12). */
export interface StreamedEvent {
  readonly event_id: string
  readonly id: number
  readonly event_type: string
  readonly board_id: string
  readonly session_id: string | null
  readonly created_at: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Stores an event in the transaction of the change that it reports. */
export const storeEvent = (
  db: Db,
  { now, newId }: Unit,
  { boardId, type, sessionId = null, payload }: GraphEvent,
): Promise<void> =>
  insertRow(db, 'kg_stream_events', {
    event_id: newId(),
    board_id: boardId,
    event_type: type,
    session_id: sessionId,
    payload: toJson(payload),
    created_at: now,
  })

type EventRow = Omit<KgStreamEventsTable, 'id'> & { readonly id: number }

const after = hot<{ board: string; id: number; limit: number }, EventRow>((db, param) =>
  db
    .selectFrom('kg_stream_events')
    .selectAll()
    .where('board_id', '=', param('board'))
    .where('id', '>', param('id'))
    .orderBy('id')
    .limit(param('limit')),
)

/** The events of a board after the event with this number, oldest first. */
export const eventsAfter = async (db: Db, board: string, id: number, limit: number): Promise<StreamedEvent[]> =>
  (await after(db, { board, id, limit })).map(row => ({
    event_id: row.event_id,
    id: row.id,
    event_type: row.event_type,
    board_id: row.board_id,
    session_id: row.session_id,
    created_at: row.created_at,
    payload: parseJson(row.payload),
  }))

/** The number of the last event of a board; if it has none, of the last event of any board. */
export async function lastEventId(db: Db, board: string): Promise<number> {
  const row = await db
    .selectFrom('kg_stream_events')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('board_id', '=', board)
    .executeTakeFirstOrThrow()
  return Number(row.id ?? 0)
}

/** The number of the oldest stored event of a board; null when it has none. */
export async function oldestEventId(db: Db, board: string): Promise<number | null> {
  const row = await db
    .selectFrom('kg_stream_events')
    .select(({ fn }) => fn.min('id').as('id'))
    .where('board_id', '=', board)
    .executeTakeFirstOrThrow()
  return row.id === null ? null : Number(row.id)
}

/** The number of the last event of a board before a time; 0 when it has none. */
export async function lastEventBefore(db: Db, board: string, time: string): Promise<number> {
  const row = await db
    .selectFrom('kg_stream_events')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('board_id', '=', board)
    .where('created_at', '<', time)
    .executeTakeFirstOrThrow()
  return Number(row.id ?? 0)
}

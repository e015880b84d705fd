import type { KgSession } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { csvRow } from '../../lib/csv.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { KgSessionsTable } from '../../schema/tables.ts'
import { cursorOf, type PageEnd, start } from '../cursor.ts'
import { sessionOf } from './store.ts'

const newestFirst = hot<{ board: string; at: string; id: string; limit: number }, KgSessionsTable>(
  (_, param) =>
    sql<KgSessionsTable>`select * from kg_sessions where board_id = ${param('board')}
          and committed_at <= ${param('at')} and (committed_at < ${param('at')} or id < ${param('id')})
        order by committed_at desc, id desc limit ${param('limit')}`,
)

/** A page of a board's sessions, newest first (knowledge-graph 8.2). */
export async function readSessions(db: Db, board: string, place: PageEnd | null, limit: number) {
  const rows = await newestFirst(db, { board, ...(place ?? start), limit })
  const last = rows.at(-1)
  return {
    entries: rows.map(sessionOf),
    next_cursor: last === undefined || rows.length < limit ? null : cursorOf({ at: last.committed_at, id: last.id }),
  }
}

const oldestFirst = hot<{ board: string; at: string; id: string; limit: number }, KgSessionsTable>(
  (_, param) =>
    sql<KgSessionsTable>`select * from kg_sessions where board_id = ${param('board')}
        and committed_at >= ${param('at')} and (committed_at > ${param('at')} or id > ${param('id')})
      order by committed_at, id limit ${param('limit')}`,
)

/** How many sessions are read before yielding to other work. */
const pageSize = 500

/** All sessions of a board, oldest first, in pages. */
async function* allSessions(
  read: <Value>(run: (db: Db) => Promise<Value>) => Promise<Value>,
  board: string,
): AsyncIterable<z.input<typeof KgSession>[]> {
  let at = ''
  let id = ''
  for (;;) {
    const rows = await read(db => oldestFirst(db, { board, at, id, limit: pageSize }))
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(sessionOf)
    at = last.committed_at
    id = last.id
  }
}

const columns = [
  'session_id',
  'board_id',
  'committed_at',
  'artifact_type',
  'artifact_id',
  'agent_id',
  'started_at',
  'nodes_added',
  'nodes_updated',
  'nodes_superseded',
  'nodes_removed',
  'edges_added',
  'edges_removed',
  'missing_links',
  'undo_status',
  'undone_at',
  'undone_by',
  'content_hash',
  'summary_text',
] as const satisfies (keyof z.input<typeof KgSession>)[]

/** All sessions of a board as text, oldest first: one JSON object per line, or CSV (knowledge-graph 8.3). */
export async function* exportSessions(
  read: <Value>(run: (db: Db) => Promise<Value>) => Promise<Value>,
  board: string,
  format: 'json' | 'csv',
): AsyncIterable<string> {
  if (format === 'csv') yield csvRow(columns)
  for await (const sessions of allSessions(read, board))
    yield sessions
      .map(session => (format === 'json' ? `${JSON.stringify(session)}\n` : csvRow(columns.map(name => session[name]))))
      .join('')
}

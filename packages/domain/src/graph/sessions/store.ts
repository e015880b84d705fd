import type { KgSession } from '@specboard/contract'
import type { z } from 'zod'
import { toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { inPieces } from '../../schema/in-pieces.ts'
import { insertRow } from '../../schema/rows.ts'
import type { KgSessionsTable } from '../../schema/tables.ts'
import type { GraphChanges } from '../store/changes.ts'

/** What a session counts in addition to additions and removals. */
export interface SessionCounts {
  readonly nodes_updated: number
  readonly nodes_superseded: number
  readonly missing_links: number
}

/** A session to be stored, before its changes are counted. */
export type NewSession = Pick<
  KgSessionsTable,
  'artifact_id' | 'artifact_type' | 'agent_id' | 'started_at' | 'summary_text' | 'content_hash'
> &
  SessionCounts

const counted = (changes: GraphChanges, kind: 'node' | 'edge', side: 'before' | 'after'): number =>
  changes.recorded.filter(change => change.kind === kind && change[side] === null).length

/** Stores a session with the pre-images of everything it changed; returns its row. */
export async function storeSession(
  db: Db,
  changes: GraphChanges,
  newId: () => string,
  session: NewSession,
): Promise<KgSessionsTable> {
  const row: KgSessionsTable = {
    id: changes.sessionId,
    board_id: changes.boardId,
    artifact_id: session.artifact_id,
    artifact_type: session.artifact_type,
    agent_id: session.agent_id,
    started_at: session.started_at,
    committed_at: changes.now,
    nodes_added: counted(changes, 'node', 'before'),
    nodes_updated: session.nodes_updated,
    nodes_superseded: session.nodes_superseded,
    nodes_removed: counted(changes, 'node', 'after'),
    edges_added: counted(changes, 'edge', 'before'),
    edges_removed: counted(changes, 'edge', 'after'),
    missing_links: session.missing_links,
    summary_text: session.summary_text,
    content_hash: session.content_hash,
    undone_at: null,
    undone_by: null,
  }
  await insertRow(db, 'kg_sessions', row)
  await inPieces(db, changes.recorded, async piece => {
    for (const { kind, target_id, before, after, vector } of piece)
      await insertRow(db, 'kg_session_changes', {
        id: newId(),
        session_id: changes.sessionId,
        board_id: changes.boardId,
        kind,
        target_id,
        before: toJson(before),
        after: toJson(after),
        vector,
      })
  })
  return row
}

const latest = hot<{ board: string; type: string; id: string }, Pick<KgSessionsTable, 'content_hash'>>((db, param) =>
  db
    .selectFrom('kg_sessions')
    .select('content_hash')
    .where('board_id', '=', param('board'))
    .where('artifact_type', '=', param('type') as 'card')
    .where('artifact_id', '=', param('id'))
    .where('undone_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1),
)

/** The hash of a record's latest session that was not undone; undefined if there is none. */
export const latestHash = async (
  db: Db,
  artifact: { readonly boardId: string; readonly type: string; readonly id: string },
): Promise<string | null | undefined> =>
  (await latest(db, { board: artifact.boardId, type: artifact.type, id: artifact.id }))[0]?.content_hash

/** A session in the form of an answer (knowledge-graph 8.1). */
export const sessionOf = ({ id, undone_at, undone_by, ...row }: KgSessionsTable): z.input<typeof KgSession> => ({
  session_id: id,
  ...row,
  undo_status: undone_at === null ? 'none' : 'undone',
  undone_at,
  undone_by,
})

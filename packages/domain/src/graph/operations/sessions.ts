import type { features } from '@specboard/contract'
import { notFound } from '../../kernel/errors.ts'
import { type Implementation, multiStep } from '../../kernel/implement.ts'
import type { KgSessionsTable } from '../../schema/tables.ts'
import { embedAgain } from '../consolidation/embed-board.ts'
import { placeOf } from '../cursor.ts'
import { exportSessions, readSessions } from '../sessions/list.ts'
import { undoSession } from '../sessions/undo.ts'

type Graph = (typeof features)['knowledge-graph']

export const listAudit: Implementation<Graph['list_kg_audit']> = ({ query }, ctx) =>
  readSessions(ctx.db, ctx.boardId, placeOf(query.cursor), query.limit)

export const exportAudit = multiStep<Graph['export_kg_audit']>(async ({ params, query }, steps) => {
  const { format } = query
  const filename = `audit_${params.board_id}.${format}`
  return {
    filename,
    mimeType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl',
    headers: { 'content-disposition': `attachment; filename=${filename}` },
    content: exportSessions(run => steps.read(ctx => run(ctx.db)), params.board_id, format),
  }
})

export const undo: Implementation<Graph['undo_kg_session']> = async ({ params, query }, ctx) => {
  const session = (await ctx.db
    .selectFrom('kg_sessions')
    .selectAll()
    .where('id', '=', params.session_id)
    .where('board_id', '=', ctx.boardId)
    .executeTakeFirst()) as KgSessionsTable | undefined
  if (session === undefined) throw notFound('kg_session', params.session_id)
  const { counts, unembedded } = await undoSession(ctx.db, session, {
    agentId: ctx.caller.id,
    now: ctx.now(),
    newId: () => ctx.newId(),
    force: query.force,
  })
  const { embedder, signals } = ctx.environment.graph
  ctx.afterCommit.push(
    () => signals.notify(ctx.boardId),
    database => embedAgain(database, embedder, ctx.boardId, unembedded),
  )
  return { session_id: session.id, status: 'undone', ...counts, force_used: query.force }
}

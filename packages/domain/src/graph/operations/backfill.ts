import type { features } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import { blocked } from '../../kernel/errors.ts'
import { Answered, type Implementation, inSteps } from '../../kernel/implement.ts'
import { cancelBackfill, clearBoard, readProgress, startBackfill } from '../backfill/backfill.ts'
import { schemaVersion } from '../store/boards.ts'

type Graph = (typeof features)['knowledge-graph']

const unitOf = (ctx: Context) => ({ nowMs: ctx.environment.clock(), newId: () => ctx.newId() })

export const start: Implementation<Graph['start_kg_backfill']> = async (_, ctx) => {
  const { boardId: board_id } = ctx
  const total_artifacts = await startBackfill(ctx.db, unitOf(ctx), board_id)
  if (total_artifacts === null) return new Answered({ status: 'already_in_progress', board_id }, { status: 200 })
  ctx.afterCommit.push(() => ctx.environment.graph.queued([board_id]))
  return { status: 'queueing', board_id, total_artifacts }
}

export const cancel: Implementation<Graph['cancel_kg_backfill']> = async (_, ctx) => {
  const removed = await cancelBackfill(ctx.db, unitOf(ctx), ctx.boardId)
  ctx.afterCommit.push(() => ctx.environment.graph.signals.tell(ctx.boardId))
  return { status: 'cancelled', board_id: ctx.boardId, removed }
}

export const progress: Implementation<Graph['get_kg_backfill_progress']> = (_, ctx) => readProgress(ctx.db, ctx.boardId)

export const clear: Implementation<Graph['delete_board_kg']> = async (_, ctx) => {
  await clearBoard(ctx.db, unitOf(ctx), ctx.boardId, ctx.caller.id)
  ctx.afterCommit.push(() => ctx.environment.graph.signals.tell(ctx.boardId))
  return undefined
}

export const migrate = inSteps<Graph['migrate_kg_schema']>(async ({ params }, { environment, gone }) => {
  const started = performance.now()
  const rebuilt = await environment.graph.rebuild(params.board_id, { signal: gone() })
  if (rebuilt === null) throw blocked('MIGRATION_RUNNING', 'A migration is already running. Wait until it is done.')
  const { errors, nodes_reindexed, nodes_reembedded, from_version } = rebuilt
  return {
    board_id: params.board_id,
    migrated: errors.length === 0,
    columns_added: {},
    errors: [...errors],
    duration_ms: Math.round(performance.now() - started),
    from_version,
    to_version: schemaVersion,
    nodes_reindexed,
    nodes_reembedded,
  }
})

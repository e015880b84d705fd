import type { features } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import { blocked } from '../../kernel/errors.ts'
import { ExplicitAnswer, type Implementation, multiStep, type Steps } from '../../kernel/implement.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import {
  type BackfillPosition,
  cancelSome,
  clearBoard,
  endCancelled,
  firstPlace,
  newBackfill,
  queueSome,
  readProgress,
  startBackfill,
} from '../backfill/backfill.ts'
import { schemaVersion } from '../store/boards.ts'

type Graph = (typeof features)['knowledge-graph']

const unitOf = (ctx: Context) => ({ nowMs: ctx.environment.clock(), newId: () => ctx.newId() })

/** Queues or cancels one backfill of a board at a time, on all nodes. */
const inTurn = <Value>(boardId: string, { environment, signal }: Steps, act: () => Promise<Value>): Promise<Value> =>
  environment.leases.inTurn(`backfill ${boardId}`, act, signal())

/** Queues in pieces, one backfill of a board at a time; entries whose queueing was interrupted are processed anyway. */
export const start = multiStep<Graph['start_kg_backfill']>(({ params: { board_id } }, steps) =>
  inTurn(board_id, steps, async () => {
    const backfill = await steps.read(ctx => newBackfill(ctx.db, unitOf(ctx), board_id))
    if (backfill === null)
      return new ExplicitAnswer({ status: 'already_in_progress' as const, board_id }, { status: 200 })
    let total_artifacts = 0
    for (let place: BackfillPosition | undefined = firstPlace; place !== undefined; ) {
      const from: BackfillPosition = place
      const piece = await steps.writePiece(ctx => queueSome(ctx.db, () => ctx.newId(), backfill, from))
      total_artifacts += piece.queued
      place = piece.next
      await yieldToEventLoop()
    }
    return steps.finish(async ctx => {
      await startBackfill(ctx.db, unitOf(ctx), backfill, total_artifacts)
      ctx.afterCommit.push(() => ctx.environment.graph.queued([board_id]))
      return { status: 'queueing' as const, board_id, total_artifacts }
    })
  }),
)

export const cancel = multiStep<Graph['cancel_kg_backfill']>(({ params: { board_id } }, steps) =>
  inTurn(board_id, steps, async () => {
    let removed = 0
    let cancelled: string | null = null
    for (let more = true; more; ) {
      const piece = await steps.writePiece(ctx => cancelSome(ctx.db, board_id))
      removed += piece.removed
      cancelled ??= piece.run
      more = piece.more
      await yieldToEventLoop()
    }
    return steps.finish(async ctx => {
      if (cancelled !== null) await endCancelled(ctx.db, unitOf(ctx), board_id, cancelled)
      ctx.afterCommit.push(() => ctx.environment.graph.signals.notify(board_id))
      return { status: 'cancelled' as const, board_id, removed }
    })
  }),
)

export const progress: Implementation<Graph['get_kg_backfill_progress']> = (_, ctx) => readProgress(ctx.db, ctx.boardId)

export const clear: Implementation<Graph['delete_board_kg']> = async (_, ctx) => {
  await clearBoard(ctx.db, unitOf(ctx), ctx.boardId, ctx.caller.id)
  ctx.afterCommit.push(() => ctx.environment.graph.signals.notify(ctx.boardId))
  return undefined
}

export const migrate = multiStep<Graph['migrate_kg_schema']>(async ({ params }, { environment, signal }) => {
  const started = performance.now()
  const rebuilt = await environment.graph.rebuild(params.board_id, { signal: signal() })
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

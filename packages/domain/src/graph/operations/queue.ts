import type { features } from '@specboard/contract'
import { ExplicitAnswer, type Implementation } from '../../kernel/implement.ts'
import { readDeadLetters, readDepths, readEntries } from '../queue/lists.ts'
import { retry } from '../queue/retry.ts'
import { readPendingTree } from '../queue/tree.ts'
import { onBoard } from './boards.ts'

type Graph = (typeof features)['knowledge-graph']

export const listPending: Implementation<Graph['list_kg_pending']> = async ({ query }, ctx) => {
  const { items, total } = await readEntries(ctx.db, ctx.boardId, query)
  return new ExplicitAnswer({ entries: [...items], count: items.length }, { total })
}

export const getPendingTree: Implementation<Graph['get_kg_pending_tree']> = ({ query }, ctx) =>
  readPendingTree(ctx.db, ctx.boardId, query.depth, ctx.environment.clock())

export const retryPending: Implementation<Graph['retry_kg_pending']> = async ({ params, query }, ctx) => {
  const { recursive } = query
  const unit = { now: ctx.now(), newId: () => ctx.newId() }
  const reopened_ids = await retry(ctx.db, unit, ctx.boardId, { id: params.queue_entry_id, recursive })
  ctx.afterCommit.push(() => ctx.environment.graph.queued([ctx.boardId]))
  return {
    board_id: ctx.boardId,
    queue_entry_id: reopened_ids[0]!,
    recursive,
    reopened_count: reopened_ids.length,
    reopened_ids,
  }
}

export const listDeadLetters: Implementation<Graph['list_kg_dead_letters']> = async ({ query }, ctx) => {
  const { board_id, limit, offset } = query
  await onBoard(ctx, board_id, 'KG_READ')
  const { items, total } = await readDeadLetters(ctx.db, board_id, { limit, offset })
  return new ExplicitAnswer({ rows: [...items], total, limit, offset }, { total })
}

export const getQueueHealth: Implementation<Graph['get_kg_queue_health']> = async (_, ctx) => {
  const boards = (await ctx.boardsAllowing('KG_READ')).map(access => access.way!.boardId)
  const { graph, settings, clock } = ctx.environment
  const depths = await readDepths(ctx.db, boards, clock())
  const visible = new Set(boards)
  const threshold = settings.values.kg_queue_alert_threshold
  return {
    ...depths,
    ...graph.worker.stats(boardId => visible.has(boardId)),
    alert_threshold: threshold,
    alert_active: depths.queue_depth >= threshold,
  }
}

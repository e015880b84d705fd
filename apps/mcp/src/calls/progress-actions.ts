import type { JsonObject } from './lean-value.ts'
import type { NextAction } from './next-actions.ts'

/** What tells how far work is that goes on after the answer, by the operation that started it (mcp 10). */
const progressOf: Readonly<Record<string, (args: JsonObject) => NextAction>> = {
  start_kg_backfill: ({ board_id }) => action('get_kg_backfill_progress', { board_id }, 'how far it is'),
  retry_kg_pending: ({ board_id }) => action('list_kg_pending', { board_id }, 'what still waits'),
  run_kg_tick: ({ board_id }) =>
    typeof board_id === 'string'
      ? action('get_kg_health', { board_id }, 'whether the tick still runs')
      : action('get_kg_queue_health', {}, 'what the queues of the boards still hold'),
}

const action = (name: string, args: JsonObject, reason: string): NextAction => ({ name, arguments: args, reason })

/**
 * The call that tells how far the work of a call is; none where all is done when answered.
 * @param isOpen whether the caller may use an operation
 */
export function progressActions(operation: string, args: JsonObject, isOpen: (name: string) => boolean): NextAction[] {
  const next = progressOf[operation]?.(args)
  return next === undefined || !isOpen(next.name) ? [] : [next]
}

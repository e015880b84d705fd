import type { NextAction } from '@specboard/domain'
import type { JsonObject } from './lean-value.ts'

/** The call that reports the progress of work that continues after the answer, by its operation (mcp 10). */
const progressOf: Readonly<Record<string, (args: JsonObject) => NextAction>> = {
  retry_forge_delivery: ({ repository_id }) => action('list_forge_deliveries', { repository_id }, 'what became of it'),
  start_kg_backfill: ({ board_id }) => action('get_kg_backfill_progress', { board_id }, 'how far it has come'),
  ping_webhook: ({ webhook_id }) => deliveries(webhook_id),
  redeliver_webhook: ({ webhook_id }) => deliveries(webhook_id),
  replay_webhook: ({ webhook_id }) => deliveries(webhook_id),
  retry_kg_pending: ({ board_id }) => action('list_kg_pending', { board_id }, 'what is still waiting'),
  test_notification_channel: ({ channel_id }) =>
    action('list_notification_deliveries', { channel_id }, 'what became of it'),
  run_kg_tick: ({ board_id }) =>
    typeof board_id === 'string'
      ? action('get_kg_health', { board_id }, 'whether the tick is still running')
      : action('get_kg_queue_health', {}, "what the boards' queues still hold"),
}

const deliveries = (webhook_id: unknown): NextAction =>
  action('list_webhook_deliveries', { webhook_id }, 'what became of it')

const action = (name: string, args: JsonObject, reason: string): NextAction => ({ name, arguments: args, reason })

/**
 * The call that reports the progress of an operation's work; empty if the work ends with the answer.
 * @param isOpen whether the caller may use an operation
 */
export function progressActions(operation: string, args: JsonObject, isOpen: (name: string) => boolean): NextAction[] {
  const next = progressOf[operation]?.(args)
  return next === undefined || !isOpen(next.name) ? [] : [next]
}

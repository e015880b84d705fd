import type { Authenticator } from '../../kernel/service/authenticate.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import type { WebhookDeliveriesTable } from '../../schema/tables.ts'
import { type Event, withoutUnreadable } from '../events/rules.ts'
import { eventAt, readEvents } from '../events/store.ts'
import { accessOfCreator, eventFilterFor } from './creator.ts'
import { type Message, messageOf, pingOf } from './messages.ts'
import { takes } from './rules.ts'
import { findWebhook, nextDeliveries, type WebhookRow } from './store.ts'

/** How many events are queued at once. */
const queuedAtOnce = 20

/** The next step of a webhook. */
export type Step =
  /** Send a delivery; without a message, its event may no longer be read. */
  | {
      readonly kind: 'send'
      readonly webhook: WebhookRow
      readonly delivery: WebhookDeliveriesTable
      readonly message: Message | undefined
    }
  /** Queue events, and continue after a sequence number. */
  | { readonly kind: 'queue'; readonly webhook: WebhookRow; readonly events: readonly Event[]; readonly upTo: number }
  /** Wait: until a time, or for something to happen; `forMaker`: until its maker is active again. */
  | { readonly kind: 'wait'; readonly until: string | undefined; readonly forMaker: boolean }
  /** Nothing: the webhook is gone or disabled. */
  | { readonly kind: 'end' }

/** How far a webhook has passed the log without an event for it, as long as it is unchanged. */
export interface LogProgress {
  readonly webhook: Pick<WebhookRow, 'cursor' | 'updated_at'>
  readonly upTo: number
}

/** Where a webhook continues in the log. */
const goesOnAt = ({ cursor, updated_at }: WebhookRow, progress: LogProgress | undefined): number =>
  progress?.webhook.cursor === cursor && progress.webhook.updated_at === updated_at ? progress.upTo : cursor

/** The next step of a webhook at a time: requested messages come first, then its events in order. */
export async function nextStep(
  db: Db,
  id: string,
  {
    now,
    agents,
    progress,
  }: { readonly now: string; readonly agents: Authenticator; readonly progress: LogProgress | undefined },
): Promise<Step> {
  const webhook = await findWebhook(db, id)
  if (webhook === undefined || webhook.active === 0) return { kind: 'end' }
  const access = await accessOfCreator(db, webhook, agents)
  if (access === undefined) return { kind: 'wait', until: undefined, forMaker: true }
  const filter = eventFilterFor(access)
  const { requested, inLine } = await nextDeliveries(db, id)
  const delivery = [requested, inLine].find(next => next?.next_attempt_at != null && next.next_attempt_at <= now)
  if (delivery !== undefined) return { kind: 'send', webhook, delivery, message: await messageFor(delivery) }
  if (inLine === undefined) {
    const after = goesOnAt(webhook, progress)
    const { events, lastSequence } = await readEvents(
      db,
      webhook.board_id,
      { after, order: 'asc', limit: queuedAtOnce },
      filter,
    )
    const actions = parseJson(webhook.events)
    if (lastSequence > after)
      return {
        kind: 'queue',
        webhook,
        events: events.filter(({ action }) => takes(actions, action)),
        upTo: lastSequence,
      }
  }
  const times = [requested, inLine].flatMap(next => next?.next_attempt_at ?? [])
  return { kind: 'wait', until: times.toSorted()[0], forMaker: false }

  async function messageFor({ event_sequence, created_at }: WebhookDeliveriesTable): Promise<Message | undefined> {
    if (event_sequence === null) return pingOf(id, created_at)
    const event = await eventAt(db, webhook!.board_id, event_sequence, filter)
    return event === undefined || access == null ? undefined : messageOf(withoutUnreadable(event, access))
  }
}

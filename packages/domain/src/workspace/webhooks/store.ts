import type { DeliveryStatus } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Unit } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { type Page, type Paging, paged, window } from '../../kernel/page.ts'
import { parseJson } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { WebhookDeliveriesTable, WebhooksTable } from '../../schema/tables.ts'
import { keptMs } from './rules.ts'

/** A webhook, with whether its creator is active. */
export interface WebhookRow extends WebhooksTable {
  maker_active: Flag
}

const withMaker = (db: Db) =>
  db
    .selectFrom('webhooks')
    .leftJoin('agents', join =>
      join
        .onRef('agents.id', '=', 'webhooks.created_by')
        .on('agents.is_active', '=', 1)
        .on('agents.deleted_at', 'is', null),
    )
    .selectAll('webhooks')
    .select(sql<Flag>`agents.id is not null`.as('maker_active'))

const byId = hot<{ id: string }, WebhookRow>((db, param) => withMaker(db).where('webhooks.id', '=', param('id')))

const ofBoard = hot<{ board: string; limit: number; offset: number }, WebhookRow>((db, param) =>
  withMaker(db)
    .where('webhooks.board_id', '=', param('board'))
    .orderBy('webhooks.created_at')
    .orderBy('webhooks.id')
    .limit(param('limit'))
    .offset(param('offset')),
)

const countOfBoard = hot<{ board: string }, { count: number }>((db, param) =>
  db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board')),
)

/** A webhook by id; undefined when there is none. */
export const findWebhook = async (db: Db, id: string): Promise<WebhookRow | undefined> => (await byId(db, { id }))[0]

/**
 * A webhook by id.
 * @throws DomainError NOT_FOUND
 */
export async function readWebhook(db: Db, id: string): Promise<WebhookRow> {
  const row = await findWebhook(db, id)
  if (row === undefined) throw notFound('webhook', id)
  return row
}

/** How many webhooks a board has. */
export const webhooksOf = async (db: Db, board: string): Promise<number> =>
  (await countOfBoard(db, { board }))[0]!.count

/** A page of a board's webhooks, oldest first. */
export async function listWebhooks(db: Db, board: string, paging: Paging) {
  const rows = await ofBoard(db, { board, ...window(paging) })
  return paged(rows, paging, () => webhooksOf(db, board), webhookOf)
}

/** The enabled webhooks, with their boards. */
export const activeWebhooks = (db: Db): Promise<{ id: string; board_id: string }[]> =>
  db.selectFrom('webhooks').select(['id', 'board_id']).where('active', '=', sql.lit(1)).execute()

/** A webhook as callers see it: one whose creator is not active sends nothing. */
export const webhookOf = (row: WebhookRow) => ({
  id: row.id,
  board_id: row.board_id,
  url: row.url,
  description: row.description,
  events: parseJson(row.events),
  active: row.active === 1 && row.maker_active === 1,
  format: row.format,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  disabled_reason: row.maker_active === 1 ? row.disabled_reason : 'The agent that created it is inactive or deleted.',
  last_success_at: row.last_success_at,
  last_failure_at: row.last_failure_at,
  failing_since: row.failing_since,
})

type Status = z.output<typeof DeliveryStatus>

/** The time before which nothing is kept. */
const keptSince = (now: string): string => new Date(Date.parse(now) - keptMs).toISOString()

const deliveryById = hot<{ id: string }, WebhookDeliveriesTable>((db, param) =>
  db.selectFrom('webhook_deliveries').selectAll().where('id', '=', param('id')),
)

interface DeliveryParameters {
  webhook: string
  since: string
}

const deliveriesOf = hot<DeliveryParameters & { limit: number; offset: number }, WebhookDeliveriesTable>((db, param) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', param('webhook'))
    .where('created_at', '>=', param('since'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit'))
    .offset(param('offset')),
)

const deliveriesIn = hot<
  DeliveryParameters & { status: Status; limit: number; offset: number },
  WebhookDeliveriesTable
>((db, param) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', param('webhook'))
    .where('status', '=', param('status'))
    .where('created_at', '>=', param('since'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit'))
    .offset(param('offset')),
)

const countDeliveries = async (
  db: Db,
  { webhook, since }: DeliveryParameters,
  status: Status | undefined,
): Promise<number> => {
  const { count } = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('webhook_id', '=', webhook)
    .where('created_at', '>=', since)
    .$if(status !== undefined, query => query.where('status', '=', status!))
    .executeTakeFirstOrThrow()
  return count
}

/** A delivery as callers see it. */
export const deliveryOf = ({ message_id, asked, ...delivery }: WebhookDeliveriesTable) => delivery

/**
 * A delivery by id.
 * @throws DomainError NOT_FOUND
 */
export async function readDelivery(db: Db, id: string): Promise<WebhookDeliveriesTable> {
  const [row] = await deliveryById(db, { id })
  if (row === undefined) throw notFound('webhook_delivery', id)
  return row
}

/** A page of a webhook's deliveries of the last 30 days, newest first. */
export async function listDeliveries(
  db: Db,
  webhook: string,
  { status, ...paging }: Paging & { readonly status?: Status | undefined },
  now: string,
): Promise<Page<ReturnType<typeof deliveryOf>>> {
  const listed = { webhook, since: keptSince(now) }
  const place = { ...listed, ...window(paging) }
  const rows = status === undefined ? await deliveriesOf(db, place) : await deliveriesIn(db, { ...place, status })
  return paged(rows, paging, () => countDeliveries(db, listed, status), deliveryOf)
}

/** What is sent: an event of the log in its turn, or a requested message. */
type QueuedMessage = Pick<WebhookDeliveriesTable, 'webhook_id' | 'message_id' | 'event_sequence' | 'asked'>

/** Queues a delivery, to be sent now or in its turn. */
export async function queueDelivery(
  db: Db,
  queued: QueuedMessage,
  { now, newId }: Unit,
): Promise<WebhookDeliveriesTable> {
  const delivery: WebhookDeliveriesTable = {
    id: newId(),
    ...queued,
    status: 'pending',
    attempts: 0,
    next_attempt_at: now,
    response_status: null,
    response_excerpt: null,
    duration_ms: null,
    created_at: now,
    delivered_at: null,
  }
  await insertRow(db, 'webhook_deliveries', delivery)
  return delivery
}

// Uses literals because the indexes contain only pending rows: a parameter could have any value.
const firstAsked = hot<{ webhook: string }, WebhookDeliveriesTable>((db, param) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', param('webhook'))
    .where('status', '=', sql.lit('pending'))
    .where('asked', '=', sql.lit(1))
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(1),
)

const firstInLine = hot<{ webhook: string }, WebhookDeliveriesTable>((db, param) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', param('webhook'))
    .where('status', '=', sql.lit('pending'))
    .where('asked', '=', sql.lit(0))
    .orderBy('id')
    .limit(1),
)

/** The next deliveries of a webhook: of requested messages, and of events. */
export async function nextDeliveries(db: Db, webhook: string) {
  const [requested] = await firstAsked(db, { webhook })
  const [inLine] = await firstInLine(db, { webhook })
  return { requested, inLine }
}

/** How many old deliveries are removed at a time. */
const removedAtOnce = 500

/** Removes expired deliveries of any webhook, a limited number at a time. */
export async function removeOld(db: Db, now: string): Promise<void> {
  await db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', old =>
      old
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('created_at', '<', keptSince(now))
        .where('status', '<>', 'pending')
        .orderBy('created_at')
        .limit(removedAtOnce),
    )
    .execute()
}

/**
 * Discards the queued events of a webhook after a sequence number, and continues from there: the events are queued
 * again, in order.
 */
export async function goBack(db: Db, { id, cursor }: WebhooksTable, after: number): Promise<void> {
  await db
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', '=', id)
    .where('status', '=', 'pending')
    .where('asked', '=', 0)
    .where('event_sequence', '>', after)
    .execute()
  await updateRow(db, 'webhooks', id, { cursor: Math.min(cursor, after) })
}

/** The sequence number before the queued but untried events of a webhook; undefined when there are none. */
export async function beforeUntried(db: Db, webhook: string): Promise<number | undefined> {
  const { first } = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.min<number | null>('event_sequence').as('first'))
    .where('webhook_id', '=', webhook)
    .where('status', '=', 'pending')
    .where('asked', '=', 0)
    .where('attempts', '=', 0)
    .executeTakeFirstOrThrow()
  return first === null ? undefined : first - 1
}

/** Sets when all pending deliveries are tried next; null means that they wait until the webhook is enabled. */
export async function setNextAttempts(db: Db, webhook: string, at: string | null): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: at })
    .where('webhook_id', '=', webhook)
    .where('status', '=', 'pending')
    .execute()
}

/** Disables a webhook, with the reason. */
export async function switchOff(db: Db, webhook: string, disabled_reason: string): Promise<void> {
  await updateRow(db, 'webhooks', webhook, { active: 0, disabled_reason })
  await setNextAttempts(db, webhook, null)
}

const newestSequence = hot<{ board: string }, { seq: number }>((db, param) =>
  db.selectFrom('events').select('seq').where('board_id', '=', param('board')).orderBy('seq', 'desc').limit(1),
)

/** The sequence number of the newest entry of a board's log, including entries of earlier units of the same group. */
export const newestEntry = async (db: Db, board: string): Promise<number> =>
  (await newestSequence(db, { board }))[0]?.seq ?? 0

/** The number of events of each action in part of a board's log, for some kinds only and without imported events. */
export const countActions = (
  db: Db,
  { board, after, upTo }: { readonly board: string; readonly after: number; readonly upTo: number },
  kinds: readonly string[],
): Promise<{ action: string; count: number }[]> => {
  const action = sql<string>`coalesce(action, history_action)`
  return db
    .selectFrom('events')
    .select(({ fn }) => [action.as('action'), fn.countAll<number>().as('count')])
    .where('board_id', '=', board)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .where('imported', '=', 0)
    .where(action, 'is not', null)
    .where(eb => dialect.inList(eb.ref('entity_type'), JSON.stringify(kinds)))
    .groupBy(action)
    .execute()
}

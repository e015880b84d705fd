import { features } from '@specboard/contract'
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid } from '../../kernel/errors.ts'
import { type Implementation, implement, multiStep } from '../../kernel/implement.ts'
import { Authenticator } from '../../kernel/service/authenticate.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { AuditTable, WebhooksTable } from '../../schema/tables.ts'
import { faultOfUrl, hostOf } from './addresses.ts'
import { accessOfCreator, eventFilterFor, readPermissionsBeyond } from './creator.ts'
import { takes } from './rules.ts'
import { makeSecret, replacedSecret } from './secrets.ts'
import {
  beforeUntried,
  countActions,
  deliveryOf,
  goBack,
  listDeliveries,
  listWebhooks as listOfBoard,
  newestEntry,
  queueDelivery,
  readDelivery,
  readWebhook,
  setNextAttempts,
  type WebhookRow,
  webhookOf,
  webhooksOf,
} from './store.ts'

type Webhooks = typeof features.webhooks

/** Maximum number of webhooks of a board. */
const maxWebhooks = 100

/** How many entries of the log are counted in one read. */
const countedAtOnce = 10_000

/** Makes the change of a webhook take effect once it is durable. */
function announce(ctx: Context, id: string): void {
  const { boardId, environment } = ctx
  ctx.afterCommit.push(() => environment.webhooks.changed(boardId, id))
}

/** An entry of the audit log; the address may contain a secret, so only its host is named. */
const audited = (ctx: Context, action: AuditTable['action'], { id, url }: WebhooksTable, fields: readonly string[]) =>
  recordAudit(ctx, action, { type: 'webhook', id, name: hostOf(new URL(url)) }, fields)

/**
 * Refuses an internal address, judging by the address alone.
 * @throws DomainError VALIDATION_ERROR
 */
function checkUrl(ctx: Context, url: string): void {
  const fault = faultOfUrl(url, ctx.environment.webhooks.allowed)
  if (fault !== undefined) throw invalid('url', `url ${fault}.`)
}

const createWebhook: Implementation<Webhooks['create_webhook']> = async ({ body }, ctx) => {
  checkUrl(ctx, body.url)
  if ((await webhooksOf(ctx.db, ctx.boardId)) >= maxWebhooks)
    throw blocked('LIMIT_REACHED', `A board has at most ${maxWebhooks} webhooks. Delete one that is no longer used.`, {
      limit: maxWebhooks,
      what: 'webhooks',
    })
  const id = ctx.newId()
  const { secret, stored } = makeSecret(ctx.environment.secretKey, id)
  const row: WebhooksTable = {
    id,
    board_id: ctx.boardId,
    url: body.url,
    description: body.description,
    events: toJson(body.events),
    active: body.active ? 1 : 0,
    format: body.format,
    secret: stored,
    former_secret: null,
    former_secret_until: null,
    earlier_secrets: null,
    cursor: await newestEntry(ctx.db, ctx.boardId),
    created_by: ctx.caller.id,
    created_at: ctx.now(),
    updated_at: ctx.now(),
    disabled_reason: null,
    last_success_at: null,
    last_failure_at: null,
    failing_since: null,
  }
  await insertRow(ctx.db, 'webhooks', row)
  await audited(ctx, 'webhook_created', row, Object.keys(body))
  announce(ctx, id)
  return { ...webhookOf({ ...row, maker_active: 1 }), secret }
}

const listWebhooks: Implementation<Webhooks['list_webhooks']> = ({ query }, ctx) =>
  listOfBoard(ctx.db, ctx.boardId, query)

const getWebhook: Implementation<Webhooks['get_webhook']> = async ({ params }, ctx) =>
  webhookOf(await readWebhook(ctx.db, params.webhook_id))

const updateWebhook: Implementation<Webhooks['update_webhook']> = async ({ params, body }, ctx) => {
  const row = await readWebhook(ctx.db, params.webhook_id)
  const url = body.url ?? row.url
  if (url !== row.url) {
    checkUrl(ctx, url)
    await checkReader(ctx, row)
  }
  const updates = {
    ...(body.url !== undefined && { url }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.events !== undefined && { events: toJson(body.events) }),
    ...(body.active !== undefined && { active: body.active ? (1 as const) : (0 as const) }),
    ...(body.format !== undefined && { format: body.format }),
  }
  const fields = (Object.keys(updates) as (keyof typeof updates)[]).filter(name => updates[name] !== row[name])
  if (fields.length === 0) return webhookOf(row)
  const switched = updates.active === undefined || updates.active === row.active ? undefined : updates.active
  const changed = {
    ...updates,
    updated_at: ctx.now(),
    ...(switched === 1 && { disabled_reason: null, failing_since: null }),
  }
  await updateRow(ctx.db, 'webhooks', row.id, changed)
  if (fields.includes('events')) await queueAnew(ctx, row)
  if (switched !== undefined || fields.includes('url')) {
    const active = updates.active ?? row.active
    await setNextAttempts(ctx.db, row.id, active === 1 ? ctx.now() : null)
  }
  await audited(ctx, 'webhook_updated', { ...row, url }, fields)
  announce(ctx, row.id)
  return webhookOf({ ...row, ...changed })
}

/** Selects a webhook's queued but untried events again, by its new list of actions. */
async function queueAnew(ctx: Context, row: WebhookRow): Promise<void> {
  const after = await beforeUntried(ctx.db, row.id)
  if (after !== undefined) await goBack(ctx.db, row, after)
}

/**
 * A webhook gets what its creator may read: whoever redirects it must be able to read that too (trust 2).
 * @throws DomainError FORBIDDEN
 */
async function checkReader(ctx: Context, row: WebhookRow): Promise<void> {
  const missing = readPermissionsBeyond(await accessOfCreator(ctx.db, row, agentsOf(ctx)), ctx.access)
  if (missing[0] !== undefined) throw ctx.access.refusal(missing[0], missing)
}

const agentsOf = ({ environment }: Pick<Context, 'environment'>): Authenticator => new Authenticator(environment.clock)

const deleteWebhook: Implementation<Webhooks['delete_webhook']> = async ({ params }, ctx) => {
  const row = await readWebhook(ctx.db, params.webhook_id)
  await ctx.db.deleteFrom('webhooks').where('id', '=', row.id).execute()
  await audited(ctx, 'webhook_deleted', row, [])
}

const rotateWebhookSecret: Implementation<Webhooks['rotate_webhook_secret']> = async ({ params }, ctx) => {
  const row = await readWebhook(ctx.db, params.webhook_id)
  const { secret, stored } = makeSecret(ctx.environment.secretKey, row.id)
  const changed = {
    ...replacedSecret(row, stored, ctx.now()),
    updated_at: ctx.now(),
  }
  await updateRow(ctx.db, 'webhooks', row.id, changed)
  await audited(ctx, 'webhook_secret_rotated', row, ['secret'])
  return { ...webhookOf({ ...row, ...changed }), secret }
}

/**
 * A webhook that is enabled.
 * @throws DomainError INVALID_STATE
 */
async function switchedOn(ctx: Context, id: string): Promise<WebhookRow> {
  const row = await readWebhook(ctx.db, id)
  const { active, disabled_reason } = webhookOf(row)
  if (active) return row
  const why = disabled_reason === null ? '' : ` ${disabled_reason}`
  throw blocked('INVALID_STATE', `The webhook is switched off.${why} update_webhook with active true switches it on.`, {
    status: 'inactive',
  })
}

const pingWebhook: Implementation<Webhooks['ping_webhook']> = async ({ params }, ctx) => {
  const { id } = await switchedOn(ctx, params.webhook_id)
  const message = { webhook_id: id, message_id: `msg_${ctx.newId()}`, event_sequence: null, asked: 1 } as const
  const delivery = await queueDelivery(ctx.db, message, { now: ctx.now(), newId: () => ctx.newId() })
  announce(ctx, id)
  return deliveryOf(delivery)
}

const listWebhookDeliveries: Implementation<Webhooks['list_webhook_deliveries']> = ({ params, query }, ctx) =>
  listDeliveries(ctx.db, params.webhook_id, query, ctx.now())

const redeliverWebhook: Implementation<Webhooks['redeliver_webhook']> = async ({ params }, ctx) => {
  const { id } = await switchedOn(ctx, params.webhook_id)
  const { message_id, event_sequence } = await readDelivery(ctx.db, params.delivery_id)
  const message = { webhook_id: id, message_id, event_sequence, asked: 1 } as const
  const delivery = await queueDelivery(ctx.db, message, { now: ctx.now(), newId: () => ctx.newId() })
  announce(ctx, id)
  return deliveryOf(delivery)
}

const replayWebhook = multiStep<Webhooks['replay_webhook']>(async ({ params, body }, steps) => {
  const { webhook_id } = params
  const { board, upTo, actions, kinds } = await steps.read(async ctx => {
    const row = await switchedOn(ctx, webhook_id)
    const access = await accessOfCreator(ctx.db, row, agentsOf(ctx))
    const newest = await newestEntry(ctx.db, ctx.boardId)
    const { kinds } = eventFilterFor(access ?? null)
    return { board: ctx.boardId, upTo: newest, actions: parseJson(row.events), kinds }
  })
  let queued = 0
  // In parts, so that a long log does not hold up other calls.
  for (let after = body.after; after < upTo; after += countedAtOnce) {
    const part = { board, after, upTo: Math.min(upTo, after + countedAtOnce) }
    const counts = await steps.read(ctx => countActions(ctx.db, part, kinds))
    for (const { action, count } of counts) if (takes(actions, action)) queued += count
  }
  return steps.finish(async ctx => {
    await goBack(ctx.db, await switchedOn(ctx, webhook_id), body.after)
    announce(ctx, webhook_id)
    return { queued }
  })
})

/** The webhooks of a board (work 6). */
export const webhookOperations = implement(features.webhooks, {
  create_webhook: createWebhook,
  list_webhooks: listWebhooks,
  get_webhook: getWebhook,
  update_webhook: updateWebhook,
  delete_webhook: deleteWebhook,
  rotate_webhook_secret: rotateWebhookSecret,
  ping_webhook: pingWebhook,
  list_webhook_deliveries: listWebhookDeliveries,
  redeliver_webhook: redeliverWebhook,
  replay_webhook: replayWebhook,
})

/** Webhooks of a board and their deliveries (work 6). */
import { z } from 'zod'
import { matching } from '../forms.ts'
import { list } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, paging, paging50, sent, Timestamp } from '../shared.ts'

/** `standard` as defined by Standard Webhooks, `slack` a short text. */
export const WebhookFormat = z.enum(['standard', 'slack'])

export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed'])

const Url = z.url({ protocol: /^https?$/ }).max(2_048)

const Description = z.string().max(2_000).nullable()

/** Actions of events, or prefixes followed by `*`. */
const Actions = list(
  z
    .string()
    .max(100)
    .regex(...matching('event_action', /^(?:[a-z][a-z0-9_]*\*?|\*)$/)),
).min(1)

const settable = { url: Url, description: Description, events: Actions, active: z.boolean(), format: WebhookFormat }

export const Webhook = z
  .object({
    id: Id,
    board_id: Id,
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.string()),
    active: z.boolean(),
    format: WebhookFormat,
    created_by: Id,
    created_at: Timestamp,
    updated_at: Timestamp,
    disabled_reason: z.string().nullable(),
    last_success_at: Timestamp.nullable(),
    last_failure_at: Timestamp.nullable(),
    failing_since: Timestamp.nullable(),
  })
  .meta({ id: 'Webhook' })

/** A webhook with its secret, which is shown only once. */
const WebhookSecret = Webhook.extend({
  secret: z.string().nullable().describe('null when an answer is replayed'),
}).meta({ id: 'WebhookSecret' })

export const WebhookDelivery = z
  .object({
    id: Id,
    webhook_id: Id,
    event_sequence: z.int().nullable(),
    status: DeliveryStatus,
    attempts: z.int(),
    next_attempt_at: Timestamp.nullable(),
    response_status: z.int().nullable(),
    response_excerpt: z.string().nullable(),
    duration_ms: z.int().nullable(),
    created_at: Timestamp,
    delivered_at: Timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' })

const WebhookCreate = z
  .object({
    url: Url,
    description: Description.default(null),
    events: Actions.default(['*']).describe('actions; card_* means all with that prefix'),
    active: z.boolean().default(true),
    format: WebhookFormat.default('standard'),
  })
  .meta({ id: 'WebhookCreate' })

const WebhookUpdate = z.object(sent(settable)).meta({ id: 'WebhookUpdate' })

const WebhookReplay = z.object({ after: z.int().min(0).describe('a sequence') }).meta({ id: 'WebhookReplay' })

const WebhookReplayed = z.object({ queued: z.int().min(0) }).meta({ id: 'WebhookReplayed' })

const onBoard = { board_id: Id }
const onWebhook = { webhook_id: Id }
const keywords = ['hook', 'callback', 'notify', 'integration', 'slack', 'subscribe']

const create_webhook = operation({
  name: 'create_webhook',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/webhooks',
  permission: 'WEBHOOKS_MANAGE',
  extension: true,
  title: 'Create webhook',
  description: "Have a board's events sent to an address. The secret is shown once.",
  params: onBoard,
  body: WebhookCreate,
  response: WebhookSecret,
  status: 201,
  errors: ['VALIDATION_ERROR', 'LIMIT_REACHED'],
  secret: 'secret',
  keywords,
})

const list_webhooks = operation({
  name: 'list_webhooks',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/webhooks',
  permission: 'WEBHOOKS_READ',
  extension: true,
  title: 'List webhooks',
  description: 'List the webhooks of a board.',
  params: onBoard,
  query: paging,
  list: Webhook,
  errors: [],
  keywords,
})

const get_webhook = operation({
  name: 'get_webhook',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook_id}',
  permission: 'WEBHOOKS_READ',
  extension: true,
  title: 'Get webhook',
  description: 'Get a webhook.',
  params: onWebhook,
  response: Webhook,
  errors: [],
  keywords,
})

const update_webhook = operation({
  name: 'update_webhook',
  method: 'PATCH',
  path: '/api/v1/webhooks/{webhook_id}',
  permission: 'WEBHOOKS_MANAGE',
  extension: true,
  title: 'Update webhook',
  description: 'Update a webhook, or switch it off and on.',
  params: onWebhook,
  body: WebhookUpdate,
  response: Webhook,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'disable', 'enable'],
})

const delete_webhook = operation({
  name: 'delete_webhook',
  method: 'DELETE',
  path: '/api/v1/webhooks/{webhook_id}',
  permission: 'WEBHOOKS_MANAGE',
  extension: true,
  title: 'Delete webhook',
  description: 'Delete a webhook with its deliveries.',
  params: onWebhook,
  confirm: true,
  errors: [],
  keywords,
})

const rotate_webhook_secret = operation({
  name: 'rotate_webhook_secret',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/rotate-secret',
  permission: 'WEBHOOKS_MANAGE',
  extension: true,
  title: 'Rotate webhook secret',
  description: 'Give a webhook a new secret, shown once. The old one also signs for 24 hours.',
  params: onWebhook,
  response: WebhookSecret,
  errors: [],
  secret: 'secret',
  keywords: [...keywords, 'signature', 'renew'],
})

const ping_webhook = operation({
  name: 'ping_webhook',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/ping',
  permission: 'WEBHOOKS_MANAGE',
  extension: true,
  title: 'Ping webhook',
  description: 'Send a test message to a webhook.',
  params: onWebhook,
  response: WebhookDelivery,
  status: 202,
  errors: ['INVALID_STATE'],
  keywords: [...keywords, 'test', 'try'],
})

const list_webhook_deliveries = operation({
  name: 'list_webhook_deliveries',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook_id}/deliveries',
  permission: 'WEBHOOKS_READ',
  extension: true,
  title: 'List webhook deliveries',
  description: 'List what was sent to a webhook in 30 days, newest first.',
  params: onWebhook,
  query: { status: DeliveryStatus.optional(), ...paging50 },
  list: WebhookDelivery,
  errors: [],
  keywords: [...keywords, 'attempts', 'failed', 'retry'],
})

const redeliver_webhook = operation({
  name: 'redeliver_webhook',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  permission: 'WEBHOOKS_MANAGE',
  extension: true,
  title: 'Redeliver to webhook',
  description: 'Send a delivery of a webhook again.',
  params: { ...onWebhook, delivery_id: Id },
  response: WebhookDelivery,
  status: 202,
  errors: ['INVALID_STATE'],
  keywords: [...keywords, 'resend', 'retry'],
})

const replay_webhook = operation({
  name: 'replay_webhook',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/replay',
  permission: 'WEBHOOKS_MANAGE',
  extension: true,
  title: 'Replay to webhook',
  description: 'Send every matching event after a sequence to a webhook again.',
  params: onWebhook,
  body: WebhookReplay,
  response: WebhookReplayed,
  status: 202,
  errors: ['INVALID_STATE'],
  keywords: [...keywords, 'resend', 'recover', 'missed'],
})

export const webhooks = {
  create_webhook,
  list_webhooks,
  get_webhook,
  update_webhook,
  delete_webhook,
  rotate_webhook_secret,
  ping_webhook,
  list_webhook_deliveries,
  redeliver_webhook,
  replay_webhook,
} as const

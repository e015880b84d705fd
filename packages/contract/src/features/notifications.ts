/** Notifications of a person outside the board, and their channels (people 5). */
import { z } from 'zod'
import { matching } from '../forms.ts'
import { operation } from '../operation.ts'
import { Id, paging50, sent, Timestamp } from '../shared.ts'
import { InboxKind } from './inbox.ts'

/** The types of channel. */
export const ChannelType = z.enum(['push', 'email', 'slack', 'discord', 'telegram', 'teams'])

/** A time of day in the person's time zone. */
const TimeOfDay = z
  .string()
  .regex(...matching('time_of_day', /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/))
  .meta({ examples: ['08:00'] })

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Quiet hours; past midnight if `to` is earlier, on the day on which they begin. */
export const QuietHours = z
  .object({
    from: TimeOfDay,
    to: TimeOfDay,
    days: z
      .array(z.enum(weekdays))
      .min(1)
      .max(7)
      .default([...weekdays])
      .describe('default: all days'),
  })
  .meta({ id: 'QuietHours' })

/** What a message contains of its record: title and reference, or the reference alone. */
export const NotificationContent = z.enum(['title', 'ref'])

const channelFields = {
  name: z.string().max(80),
  kinds: z
    .array(z.enum([...InboxKind.options, '*']))
    .max(InboxKind.options.length + 1)
    .describe('kinds of inbox items, or * for all'),
  mode: z.enum(['now', 'digest']),
}

/** A channel of one person. */
export const NotificationChannel = z
  .object({
    id: Id,
    type: ChannelType,
    ...channelFields,
    target: z.string().describe('masked'),
    verified: z.boolean(),
    active: z.boolean(),
    created_at: Timestamp,
    last_success_at: Timestamp.nullable(),
    last_failure_at: Timestamp.nullable(),
    failing_since: Timestamp.nullable(),
    disabled_reason: z.string().nullable(),
    connect_url: z.string().nullable().describe('telegram, until connected'),
  })
  .meta({ id: 'NotificationChannel' })

const settable = {
  quiet_hours: QuietHours.nullable(),
  digest_at: TimeOfDay,
  time_zone: z
    .string()
    .max(64)
    .meta({ examples: ['Europe/Lisbon'] }),
  muted_boards: z.array(z.string()).max(500).describe('ids of boards'),
  content: NotificationContent,
}

/** A person's notification settings. */
export const Notifications = z
  .object({
    channels: z.array(NotificationChannel),
    ...settable,
    push_public_key: z.string().nullable(),
    types: z
      .object(
        Object.fromEntries(ChannelType.options.map(type => [type, z.boolean()])) as Record<
          z.output<typeof ChannelType>,
          z.ZodBoolean
        >,
      )
      .describe('set up here')
      .meta({ id: 'NotificationTypes' }),
  })
  .meta({ id: 'Notifications' })

const NotificationsUpdate = z.object(sent(settable)).meta({ id: 'NotificationsUpdate' })

/** A browser's push subscription (W3C Push API). */
const PushSubscription = z
  .object({
    endpoint: z.url({ protocol: /^https?$/ }).max(2_048),
    keys: z
      .object({
        p256dh: z
          .string()
          .min(1)
          .max(200)
          .meta({ examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx'] }),
        auth: z
          .string()
          .min(1)
          .max(100)
          .meta({ examples: ['BTBZMqHH6r4Tts7J_aSIgg'] }),
      })
      .meta({ id: 'PushKeys' }),
  })
  .meta({ id: 'PushSubscription' })

const ChannelCreate = z
  .object({
    type: ChannelType,
    ...sent(channelFields),
    subscription: PushSubscription.exactOptional().describe('push'),
    email: z.email().max(254).exactOptional().describe("email; default: the person's own"),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .exactOptional()
      .describe('slack, discord, teams'),
    member_id: z
      .string()
      .max(40)
      .regex(/^[A-Z][A-Z0-9]+$/)
      .exactOptional()
      .describe('slack')
      .meta({ examples: ['U024BE7LH'] }),
  })
  .meta({ id: 'NotificationChannelCreate' })

const ChannelUpdate = z
  .object({ ...sent(channelFields), active: z.boolean().exactOptional() })
  .meta({ id: 'NotificationChannelUpdate' })

const ChannelConfirm = z
  .object({
    code: z
      .string()
      .max(40)
      .meta({ examples: ['12345678'] }),
  })
  .meta({ id: 'NotificationChannelConfirm' })

/** The state of a message. */
export const NotificationStatus = z.enum(['pending', 'held', 'delivered', 'failed', 'dropped'])

/** A message to a channel. */
export const NotificationDelivery = z
  .object({
    id: Id,
    channel_id: Id,
    item_ids: z.array(z.string()).describe('of inbox items; the first 100'),
    kinds: z.array(InboxKind),
    status: NotificationStatus,
    attempts: z.int().min(0),
    next_attempt_at: Timestamp.nullable(),
    reason: z.string().max(200).nullable(),
    created_at: Timestamp,
    delivered_at: Timestamp.nullable(),
  })
  .meta({ id: 'NotificationDelivery' })

const onChannel = { channel_id: Id }
const keywords = ['notification', 'notify', 'alert', 'push', 'email', 'slack', 'telegram', 'quiet hours', 'digest']

const get_my_notifications = operation({
  name: 'get_my_notifications',
  method: 'GET',
  path: '/api/v1/me/notifications',
  permission: '-',
  caller: 'person',
  extension: true,
  title: 'Get my notifications',
  description: 'Get your notification channels, quiet hours, digest and muted boards.',
  response: Notifications,
  errors: [],
  keywords,
})

const update_my_notifications = operation({
  name: 'update_my_notifications',
  method: 'PATCH',
  path: '/api/v1/me/notifications',
  permission: '-',
  caller: 'person',
  extension: true,
  title: 'Update my notifications',
  description: 'Set your quiet hours, digest, time zone and muted boards.',
  body: NotificationsUpdate,
  response: Notifications,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const create_notification_channel = operation({
  name: 'create_notification_channel',
  method: 'POST',
  path: '/api/v1/me/notification-channels',
  permission: '-',
  caller: 'present',
  extension: true,
  title: 'Create notification channel',
  description: 'Have what comes into your inbox sent to a browser, an address or a chat.',
  body: ChannelCreate,
  response: NotificationChannel,
  status: 201,
  otherStatus: 200,
  errors: ['VALIDATION_ERROR', 'LIMIT_REACHED'],
  keywords,
})

const update_notification_channel = operation({
  name: 'update_notification_channel',
  method: 'PATCH',
  path: '/api/v1/me/notification-channels/{channel_id}',
  permission: '-',
  caller: 'person',
  extension: true,
  title: 'Update notification channel',
  description: 'Rename a channel, choose what it sends and when, or switch it on or off.',
  params: onChannel,
  body: ChannelUpdate,
  response: NotificationChannel,
  errors: [],
  keywords,
})

const confirm_notification_channel = operation({
  name: 'confirm_notification_channel',
  method: 'POST',
  path: '/api/v1/me/notification-channels/{channel_id}/confirm',
  permission: '-',
  caller: 'present',
  extension: true,
  title: 'Confirm notification channel',
  description: 'Confirm an e-mail address by the code that was sent there.',
  params: onChannel,
  body: ChannelConfirm,
  response: NotificationChannel,
  status: 200,
  errors: ['VALIDATION_ERROR'],
  effect: 'repeatable',
  keywords,
})

const delete_notification_channel = operation({
  name: 'delete_notification_channel',
  method: 'DELETE',
  path: '/api/v1/me/notification-channels/{channel_id}',
  permission: '-',
  caller: 'person',
  extension: true,
  title: 'Delete notification channel',
  description: 'Delete a channel; nothing more is sent there.',
  params: onChannel,
  errors: [],
  keywords,
})

const test_notification_channel = operation({
  name: 'test_notification_channel',
  method: 'POST',
  path: '/api/v1/me/notification-channels/{channel_id}/test',
  permission: '-',
  caller: 'person',
  extension: true,
  title: 'Test notification channel',
  description: 'Send a test message at once, whatever the hours.',
  params: onChannel,
  response: NotificationDelivery,
  status: 202,
  errors: ['INVALID_STATE'],
  keywords,
})

const list_notification_deliveries = operation({
  name: 'list_notification_deliveries',
  method: 'GET',
  path: '/api/v1/me/notification-deliveries',
  permission: '-',
  caller: 'person',
  extension: true,
  title: 'List notification deliveries',
  description: 'List the messages to your channels of the last 30 days, newest first.',
  query: { channel_id: Id.optional(), status: NotificationStatus.optional(), ...paging50 },
  list: NotificationDelivery,
  errors: [],
  keywords,
})

export const notifications = {
  get_my_notifications,
  update_my_notifications,
  create_notification_channel,
  update_notification_channel,
  confirm_notification_channel,
  delete_notification_channel,
  test_notification_channel,
  list_notification_deliveries,
} as const

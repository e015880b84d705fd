import { randomInt } from 'node:crypto'
import { features } from '@specboard/contract'
import { recordAudit } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { blocked, invalid, notFound } from '../kernel/errors.ts'
import { ExplicitAnswer, type Implementation, implement, multiStep } from '../kernel/implement.ts'
import { parseJson, parseNullable, toJson } from '../lib/json.ts'
import { insertRow } from '../schema/rows.ts'
import { readAgent } from '../workspace/agents/store.ts'
import { isVerifiedBy } from '../workspace/people/identities.ts'
import { isTimeZone } from './local-time.ts'
import {
  type ChannelRow,
  changeChannel,
  changeSettings,
  channelOf,
  channelOfEndpoint,
  channelsOf,
  deliveryOf,
  findChannel,
  insertDelivery,
  listDeliveries,
  newDelivery,
  removeChannel,
  settingsOf,
  silenceBoards,
} from './store.ts'
import { type ChannelType, type Target, targetOf } from './targets.ts'
import { codeHash, codeLifeMs, newChatCode } from './telegram-bot.ts'
import { areKeys } from './transports/push.ts'
import type { Destination } from './transports/transport.ts'

type Operations = typeof features.notifications

/** Maximum number of channels of a person. */
const maxChannels = 20

/** How many wrong codes are accepted. */
const maxTries = 5

/** The default kinds of a channel (people 5.1). */
const usualKinds = [
  'question',
  'choice_comment',
  'mention',
  'spec_review',
  'spec_validation',
  'card_validation',
  'card_approval',
  'card_rework',
  'card_attempts',
  'connection_ended',
] as const

const usualNames: Readonly<Record<ChannelType, string>> = {
  push: 'This browser',
  email: 'E-mail',
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
  teams: 'Teams',
}

/** Makes a change take effect once it is durable. */
function announce(ctx: Context, personId = ctx.caller.id): void {
  const { environment } = ctx
  ctx.afterCommit.push(() => environment.notifications.changed(personId))
}

/**
 * A channel of the caller.
 * @throws DomainError NOT_FOUND, also for one of another person
 */
async function ownChannel(ctx: Context, id: string): Promise<ChannelRow> {
  const channel = await findChannel(ctx.db, id)
  if (channel === undefined || channel.person_id !== ctx.caller.id) throw notFound('notification_channel', id)
  return channel
}

/** A channel as its person sees it, with the code that connects a chat until it is connected. */
function shown({ environment: { notifications } }: Context, row: ChannelRow) {
  const code = row.type === 'telegram' && row.verified === 0 ? notifications.opened(row)?.code : undefined
  return channelOf(row, code === undefined ? null : notifications.telegram.connectUrl(code))
}

async function whole(ctx: Context) {
  const { notifications } = ctx.environment
  const { id } = ctx.caller
  const settings = await settingsOf(ctx.db, id)
  return {
    channels: (await channelsOf(ctx.db, id)).map(row => shown(ctx, row)),
    quiet_hours: parseNullable(settings.quiet_hours),
    digest_at: settings.digest_at,
    time_zone: settings.time_zone,
    muted_boards: [...parseJson(settings.muted_boards)],
    content: settings.content,
    push_public_key: notifications.knownPublicKey,
    types: { ...notifications.types },
  }
}

/** Loads what answers show but units of work cannot wait for: the push key, and the identity of the bot. */
async function prepare({ notifications }: Context['environment']): Promise<void> {
  await notifications.pushPublicKey()
  if (notifications.types.telegram) await notifications.telegram.whoIs()
}

const getMyNotifications = multiStep<Operations['get_my_notifications']>(async (_, steps) => {
  await prepare(steps.environment)
  return steps.read(whole)
})

const updateMyNotifications = multiStep<Operations['update_my_notifications']>(async ({ body }, steps) => {
  await prepare(steps.environment)
  return steps.finish(async ctx => {
    const { quiet_hours, muted_boards, ...plain } = body
    if (plain.time_zone !== undefined && !isTimeZone(plain.time_zone))
      throw invalid('time_zone', `${plain.time_zone} is not a time zone: send one such as Europe/Berlin, or UTC.`)
    if (quiet_hours != null && quiet_hours.from === quiet_hours.to)
      throw invalid('quiet_hours', 'from and to must be different times.')
    const boards = muted_boards === undefined ? undefined : [...new Set(await boardsNamed(ctx, muted_boards))]
    await changeSettings(ctx.db, ctx.caller.id, {
      ...plain,
      ...(quiet_hours !== undefined && { quiet_hours: quiet_hours === null ? null : toJson(quiet_hours) }),
      ...(boards !== undefined && { muted_boards: toJson(boards) }),
    })
    if (boards !== undefined) await silenceBoards(ctx.db, ctx.caller.id, boards)
    announce(ctx)
    return whole(ctx)
  })
})

/**
 * The board ids in a body; a board that was muted before is kept, even if it no longer exists or is no longer visible.
 * @throws DomainError VALIDATION_ERROR for any other board that is not visible
 */
async function boardsNamed(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const before = new Set(parseJson((await settingsOf(ctx.db, ctx.caller.id)).muted_boards))
  const visible = new Set((await ctx.ways()).map(({ boardId }) => boardId))
  const unknown = ids.find(id => !visible.has(id) && !before.has(id))
  if (unknown !== undefined) throw invalid('muted_boards', `No board ${unknown} is visible to you.`)
  return [...ids]
}

/** A new channel, as it is stored. */
function newChannel(
  ctx: Context,
  id: string,
  target: Target,
  body: { readonly type: ChannelType; readonly mode?: 'now' | 'digest' },
  more: Partial<ChannelRow>,
): ChannelRow {
  return {
    id,
    person_id: ctx.caller.id,
    type: body.type,
    name: usualNames[body.type],
    target: target.shown,
    sealed: ctx.environment.notifications.sealed(id, target.destination),
    endpoint_hash: null,
    verified: 1,
    active: 1,
    kinds: toJson([...usualKinds]),
    mode: body.mode ?? 'now',
    cursor: ctx.newId(),
    digest_on: null,
    missed: null,
    code_hash: null,
    code_until: null,
    code_tries: 0,
    failures: 0,
    created_at: ctx.now(),
    last_success_at: null,
    last_failure_at: null,
    failing_since: null,
    disabled_reason: null,
    ...more,
  }
}

/** A code of eight digits. */
const newMailCode = (): string => String(randomInt(100_000_000)).padStart(8, '0')

const createNotificationChannel = multiStep<Operations['create_notification_channel']>(async ({ body }, steps) => {
  const { notifications } = steps.environment
  if (body.type === 'telegram' && notifications.types.telegram && (await notifications.telegram.whoIs()) === undefined)
    throw invalid('type', 'Telegram does not respond for the bot of this service. Try again later.')
  return steps.finish(async ctx => {
    const { type } = body
    if (!notifications.types[type]) throw invalid('type', `${type} is not set up here.`)
    const ownEmail = (await readAgent(ctx.db, ctx.caller.id)).email
    const parts = { allowed: notifications.allowed, ownEmail, slackToken: notifications.hasSlackToken, areKeys }
    const target = targetOf(body, parts)
    if ('message' in target) throw invalid(target.field, target.message)
    const chosen = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.kinds !== undefined && { kinds: toJson([...new Set(body.kinds)]) }),
      ...(body.mode !== undefined && { mode: body.mode }),
    }
    const { endpoint } = target.destination.subscription ?? {}
    const endpoint_hash = endpoint === undefined ? null : codeHash(endpoint)
    const existing = endpoint_hash === null ? undefined : await channelOfEndpoint(ctx.db, endpoint_hash)
    if (existing !== undefined && existing.person_id === ctx.caller.id) {
      // The browser may have new keys.
      const renewed = {
        ...chosen,
        sealed: notifications.sealed(existing.id, target.destination),
        active: 1 as const,
        disabled_reason: null,
        failing_since: null,
        failures: 0,
      }
      await changeChannel(ctx.db, existing.id, renewed)
      announce(ctx)
      return new ExplicitAnswer(shown(ctx, { ...existing, ...renewed }), { status: 200 })
    }
    if ((await channelsOf(ctx.db, ctx.caller.id)).length >= maxChannels)
      throw blocked(
        'LIMIT_REACHED',
        `A person has at most ${maxChannels} channels. Delete one that is no longer used.`,
        {
          limit: maxChannels,
          what: 'notification channels',
        },
      )
    if (existing !== undefined) {
      // Somebody else uses the browser now.
      await removeChannel(ctx.db, existing)
      announce(ctx, existing.person_id)
    }
    const id = ctx.newId()
    const isKnown =
      target.destination.email !== undefined && (await isVerifiedBy(ctx.db, ctx.caller.id, target.destination.email))
    const code = type === 'telegram' ? newChatCode() : type === 'email' && !isKnown ? newMailCode() : undefined
    const destination: Destination = code === undefined ? target.destination : { ...target.destination, code }
    const row = newChannel(ctx, id, { ...target, destination }, body, {
      ...chosen,
      endpoint_hash,
      ...(code !== undefined && {
        verified: 0 as const,
        code_hash: codeHash(code),
        code_until: new Date(Date.parse(ctx.now()) + codeLifeMs).toISOString(),
      }),
    })
    await insertRow(ctx.db, 'notification_channels', row)
    if (type === 'email' && code !== undefined) await ask(ctx, row, 'code')
    await recordAudit(ctx, 'channel_created', { type: 'channel', id, name: row.name }, [], { type })
    announce(ctx)
    return shown(ctx, row)
  })
})

/** Queues a requested message: it is sent at once. */
async function ask(ctx: Context, { id, person_id }: ChannelRow, purpose: 'test' | 'code') {
  const delivery = newDelivery({ id: ctx.newId(), channel_id: id, person_id, purpose, created_at: ctx.now() })
  await insertDelivery(ctx.db, delivery)
  return delivery
}

const updateNotificationChannel: Implementation<Operations['update_notification_channel']> = async (
  { params, body },
  ctx,
) => {
  const row = await ownChannel(ctx, params.channel_id)
  const isSwitchedOn = body.active === true && row.active === 0
  const changed: Partial<ChannelRow> = {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.kinds !== undefined && { kinds: toJson([...new Set(body.kinds)]) }),
    ...(body.mode !== undefined && { mode: body.mode }),
    ...(body.active !== undefined && { active: body.active ? (1 as const) : (0 as const) }),
    ...(isSwitchedOn && { disabled_reason: null, failing_since: null, failures: 0 }),
  }
  await changeChannel(ctx.db, row.id, changed)
  announce(ctx)
  return shown(ctx, { ...row, ...changed })
}

const wrongCode = () => invalid('code', 'The code is wrong or has expired. Create the channel again for another one.')

/** Whether a code is that of a channel; a wrong one is counted. */
async function tryCode(ctx: Context, channelId: string, code: string): Promise<boolean> {
  const row = await ownChannel(ctx, channelId)
  if (row.verified === 1) return true
  const isOpen = row.code_until !== null && row.code_until > ctx.now() && row.code_tries < maxTries
  if (row.type !== 'email' || !isOpen) return false
  if (row.code_hash === codeHash(code.replaceAll(/[ -]/g, ''))) return true
  await changeChannel(ctx.db, row.id, { code_tries: row.code_tries + 1 })
  return false
}

const confirmNotificationChannel = multiStep<Operations['confirm_notification_channel']>(
  async ({ params, body }, steps) => {
    if (!(await steps.write(ctx => tryCode(ctx, params.channel_id, body.code)))) throw wrongCode()
    return steps.finish(async ctx => {
      const { notifications } = ctx.environment
      const row = await ownChannel(ctx, params.channel_id)
      if (row.verified === 1) return shown(ctx, row)
      const { code: _, ...destination } = notifications.opened(row) ?? {}
      const changed: Partial<ChannelRow> = {
        sealed: notifications.sealed(row.id, destination),
        verified: 1,
        code_hash: null,
        code_until: null,
        cursor: ctx.newId(),
      }
      await changeChannel(ctx.db, row.id, changed)
      announce(ctx)
      return shown(ctx, { ...row, ...changed })
    })
  },
)

const deleteNotificationChannel: Implementation<Operations['delete_notification_channel']> = async (
  { params },
  ctx,
) => {
  const row = await ownChannel(ctx, params.channel_id)
  await removeChannel(ctx.db, row)
  await recordAudit(ctx, 'channel_deleted', { type: 'channel', id: row.id, name: row.name }, [], { type: row.type })
  announce(ctx)
}

const testNotificationChannel: Implementation<Operations['test_notification_channel']> = async ({ params }, ctx) => {
  const row = await ownChannel(ctx, params.channel_id)
  if (row.verified === 0)
    throw blocked('INVALID_STATE', 'This channel is not confirmed: nothing is sent there yet.', {
      status: 'unverified',
    })
  if (row.active === 0)
    throw blocked('INVALID_STATE', 'This channel is switched off. Switch it on with update_notification_channel.', {
      status: 'inactive',
    })
  const delivery = await ask(ctx, row, 'test')
  announce(ctx)
  return deliveryOf(delivery)
}

const listNotificationDeliveries: Implementation<Operations['list_notification_deliveries']> = ({ query }, ctx) =>
  listDeliveries(ctx.db, ctx.caller.id, query, ctx.now())

/** Notifications of people outside the board (people 5). */
export const notificationOperations = implement(features.notifications, {
  get_my_notifications: getMyNotifications,
  update_my_notifications: updateMyNotifications,
  create_notification_channel: createNotificationChannel,
  update_notification_channel: updateNotificationChannel,
  confirm_notification_channel: confirmNotificationChannel,
  delete_notification_channel: deleteNotificationChannel,
  test_notification_channel: testNotificationChannel,
  list_notification_deliveries: listNotificationDeliveries,
})

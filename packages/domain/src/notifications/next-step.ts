import { parseJson, parseNullable } from '../lib/json.ts'
import type { Db } from '../schema/database.ts'
import type { NotificationSettingsTable } from '../schema/tables.ts'
import { digestDueAt, isQuiet, localTime, quietUntil } from './local-time.ts'
import { type Arrival, droppedAfterMs, planOf, reportsKind } from './rules.ts'
import {
  type ArrivalRow,
  arrivalsAfter,
  type ChannelRow,
  type DeliveryRow,
  findChannel,
  madeSince,
  openDeliveries,
  settingsOf,
} from './store.ts'

/** The next step of a channel. */
export type Step =
  | { readonly kind: 'send'; readonly channel: ChannelRow; readonly delivery: DeliveryRow }
  /** Drop a delivery that is too old. */
  | { readonly kind: 'drop'; readonly channel: ChannelRow; readonly delivery: DeliveryRow; readonly reason: string }
  /** Skip arrivals that are not reported. */
  | { readonly kind: 'pass'; readonly channel: ChannelRow; readonly to: string }
  /** Hold arrivals back, in the existing held delivery if there is one. */
  | {
      readonly kind: 'hold'
      readonly channel: ChannelRow
      readonly delivery: DeliveryRow | undefined
      readonly items: readonly ArrivalRow[]
      readonly until: number
    }
  /** Make a delivery of arrivals. */
  | {
      readonly kind: 'make'
      readonly channel: ChannelRow
      readonly delivery: DeliveryRow | undefined
      readonly items: readonly ArrivalRow[]
      readonly purpose: DeliveryRow['purpose']
      /** The day on which the digest was due, in the person's time zone. */
      readonly digestOn: string | null
    }
  | { readonly kind: 'wait'; readonly until: number | undefined }
  /** Nothing: the channel is gone or disabled. */
  | { readonly kind: 'end' }

const isAsked = ({ purpose }: DeliveryRow): boolean => purpose === 'test' || purpose === 'code'

const minuteMs = 60_000

/** When the quiet hours in force end; undefined outside of them. */
function quietEnd(
  { quiet_hours, time_zone }: Pick<NotificationSettingsTable, 'quiet_hours' | 'time_zone'>,
  now: number,
): number | undefined {
  const quiet = parseNullable(quiet_hours)
  return quiet !== null && isQuiet(quiet, localTime(now, time_zone)) ? quietUntil(quiet, now, time_zone) : undefined
}

/** When the digest of a channel is due that reports an arrival. */
const digestDue = (
  { digest_on }: ChannelRow,
  { digest_at, time_zone }: NotificationSettingsTable,
  { arrived_at }: ArrivalRow,
): number => digestDueAt(digest_at, digest_on, Date.parse(arrived_at), time_zone)

/** The next step of a channel at a time: requested messages come first, then pending ones, then new arrivals. */
export async function nextStep(db: Db, id: string, now: number): Promise<Step> {
  const channel = await findChannel(db, id)
  if (channel === undefined) return { kind: 'end' }
  const open = await openDeliveries(db, id)
  const request = open.find(isAsked)
  const isDue = ({ next_attempt_at }: DeliveryRow): boolean =>
    next_attempt_at !== null && Date.parse(next_attempt_at) <= now
  if (request !== undefined && isDue(request)) return { kind: 'send', channel, delivery: request }
  const askedAt = request?.next_attempt_at == null ? undefined : Date.parse(request.next_attempt_at)
  const soonest = (until: number | undefined): Step => {
    const times = [until, askedAt].filter(time => time !== undefined)
    return { kind: 'wait', until: times.length === 0 ? undefined : Math.min(...times) }
  }
  if (channel.active === 0 || channel.verified === 0)
    return askedAt === undefined ? { kind: 'end' } : soonest(undefined)
  const settings = await settingsOf(db, channel.person_id)
  const quiet = quietEnd(settings, now)
  const pending = open.find(delivery => delivery.status === 'pending' && !isAsked(delivery))
  if (pending !== undefined) {
    if (now - Date.parse(pending.created_at) > droppedAfterMs)
      return { kind: 'drop', channel, delivery: pending, reason: 'It could not be sent within 6 hours.' }
    if (quiet !== undefined) return soonest(quiet)
    return isDue(pending)
      ? { kind: 'send', channel, delivery: pending }
      : soonest(pending.next_attempt_at === null ? undefined : Date.parse(pending.next_attempt_at))
  }
  return stepOfArrivals()

  async function stepOfArrivals(): Promise<Step> {
    const delivery = open.find(({ status }) => status === 'held')
    const rows = await arrivalsAfter(db, channel!.person_id, channel!.cursor)
    const kinds = parseJson(channel!.kinds)
    const arrivals = rows.filter(({ kind }) => reportsKind(kinds, kind))
    const last = rows.at(-1)
    if (arrivals.length === 0) {
      if (delivery !== undefined) return { kind: 'drop', channel: channel!, delivery, reason: 'It was settled.' }
      return last === undefined ? soonest(undefined) : { kind: 'pass', channel: channel!, to: last.place }
    }
    const recent = await madeSince(db, id, new Date(now - minuteMs).toISOString())
    const isDigest = channel!.mode === 'digest'
    const dueAt = isDigest ? digestDue(channel!, settings, arrivals[0]!) : now
    const until = quiet ?? (dueAt > now ? dueAt : undefined)
    const wasHeld = delivery !== undefined || isDigest
    const plan = planOf({ now, arrivals, heldUntil: until, wasHeld, recent })
    const rowsOf = (items: readonly Arrival[]): ArrivalRow[] => {
      const places = new Set(items.map(({ place }) => place))
      return arrivals.filter(({ place }) => places.has(place))
    }
    switch (plan.kind) {
      case 'nothing':
        return soonest(undefined)
      case 'wait':
        return soonest(plan.until)
      case 'pass':
        return { kind: 'pass', channel: channel!, to: plan.to }
      case 'hold':
        return { kind: 'hold', channel: channel!, delivery, items: rowsOf(plan.items), until: plan.until }
      default: {
        const items = rowsOf(plan.kind === 'item' ? [plan.item] : plan.items)
        const digestOn = isDigest ? localTime(dueAt, settings.time_zone).date : null
        const purpose = isDigest ? 'digest' : plan.kind
        return { kind: 'make', channel: channel!, delivery, items, purpose, digestOn }
      }
    }
  }
}

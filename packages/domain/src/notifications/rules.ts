/** What is sent to a channel, and when (people 5.2). Pure. */
import type { PostResult } from '../workspace/webhooks/attempt.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The age that an item must have before it is reported, ms: many items are settled immediately. */
export const restMs = 500

/** Older items are reported in one summary, never one by one. */
const summedAfterMs = hour

/** Older items are not reported at all. */
const forgottenAfterMs = 7 * day

/** The maximum number of a channel's messages per minute. */
export const maxPerMinute = 5

/** How long deliveries are kept, ms. */
export const keptMs = 30 * day

/** The age at which a delivery is dropped, and counted in the next summary. */
export const droppedAfterMs = 6 * hour

/** How long each retry waits after the one before. */
const waits: readonly number[] = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour]

/** Maximum number of item ids that a delivery lists. */
export const maxIds = 100

/** An item of the inbox, as channels track it. */
export interface Arrival {
  readonly item_id: string
  readonly place: string
  readonly kind: string
  readonly arrived_at: string
}

/** Whether a channel reports items of a kind. */
export const reportsKind = (kinds: readonly string[], kind: string): boolean =>
  kinds.includes('*') || kinds.includes(kind)

/** What a channel does about arrivals. */
export type Plan =
  | { readonly kind: 'nothing' }
  /** Skip arrivals that are too old to be reported. */
  | { readonly kind: 'pass'; readonly to: string }
  | { readonly kind: 'wait'; readonly until: number }
  /** Hold the items back until a time, and then report them together. */
  | { readonly kind: 'hold'; readonly until: number; readonly items: readonly Arrival[] }
  | { readonly kind: 'item'; readonly item: Arrival }
  | { readonly kind: 'summary'; readonly items: readonly Arrival[] }

/** The input to a plan. */
export interface Situation {
  readonly now: number
  /** The arrivals that the channel has not reported, in order. */
  readonly arrivals: readonly Arrival[]
  /** Until when quiet hours or the next digest delay messages; undefined if they do not. */
  readonly heldUntil: number | undefined
  /** Whether the items were held back before, and are reported together. */
  readonly wasHeld: boolean
  /** When its messages of the last minute were made. */
  readonly recent: readonly number[]
}

/** What a channel does next. */
export function planOf({ now, arrivals, heldUntil, wasHeld, recent }: Situation): Plan {
  const age = ({ arrived_at }: Arrival): number => now - Date.parse(arrived_at)
  const fresh = arrivals.filter(arrival => age(arrival) <= forgottenAfterMs)
  const [first] = fresh
  if (first === undefined) {
    const last = arrivals.at(-1)
    return last === undefined ? { kind: 'nothing' } : { kind: 'pass', to: last.place }
  }
  if (heldUntil !== undefined) return { kind: 'hold', until: heldUntil, items: fresh }
  const young = fresh.findIndex(arrival => age(arrival) < restMs)
  const due = young === -1 ? fresh : fresh.slice(0, young)
  if (due.length === 0) return { kind: 'wait', until: Date.parse(first.arrived_at) + restMs }
  const inMinute = recent.filter(at => now - at < minute)
  if (inMinute.length >= maxPerMinute) return { kind: 'hold', until: Math.min(...inMinute) + minute, items: fresh }
  if (wasHeld && due.length > 1) return { kind: 'summary', items: due }
  const recentOne = due.findIndex(arrival => age(arrival) <= summedAfterMs)
  const old = recentOne === -1 ? due : due.slice(0, recentOne)
  if (old.length > 1) return { kind: 'summary', items: old }
  return { kind: 'item', item: due[0]! }
}

/** The effect of an attempt on a delivery and its channel. */
export interface Outcome {
  readonly status: 'delivered' | 'pending' | 'failed'
  readonly waitMs?: number
  /** Why the channel is disabled at once. */
  readonly disabled?: string
}

/** The result of an attempt, including whether the receiver is gone for good. */
export type SendResult = Pick<PostResult, 'outcome' | 'status' | 'excerpt' | 'retryAfterMs'> & {
  readonly gone?: string | undefined
}

/** The outcome of an attempt. */
export function outcomeOf({ outcome, status, retryAfterMs, gone }: SendResult, attempts: number): Outcome {
  if (outcome === 'received') return { status: 'delivered' }
  if (gone !== undefined) return { status: 'failed', disabled: gone }
  if (outcome === 'refused') return { status: 'failed' }
  const waitMs = waits[attempts - 1]
  if (waitMs === undefined) return { status: 'failed' }
  return { status: 'pending', waitMs: status === 429 ? Math.max(waitMs, retryAfterMs ?? 0) : waitMs }
}

/** How long, and how often, a channel must fail before it is disabled. */
const failsAtMostMs = 3 * day
const failsAtMost = 10

/** The recorded failures of a channel. */
export interface ChannelFailures {
  readonly failing_since: string | null
  readonly failures: number
}

/** The failures of a channel after a failed attempt. */
export function failingAfter({ failing_since, failures }: ChannelFailures, now: string) {
  const failing = { last_failure_at: now, failing_since: failing_since ?? now, failures: failures + 1 }
  const isOver = failing.failures >= failsAtMost && Date.parse(now) - Date.parse(failing.failing_since) >= failsAtMostMs
  return { ...failing, ...(isOver && { disabled_reason: 'It failed for 3 days without a success.' }) }
}

/** The number of items of each kind. */
export function countKinds(items: readonly Pick<Arrival, 'kind'>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind } of items) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** The sums of two counts. */
export function addCounts(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum: Record<string, number> = { ...one }
  for (const [kind, count] of Object.entries(other)) sum[kind] = (sum[kind] ?? 0) + count
  return sum
}

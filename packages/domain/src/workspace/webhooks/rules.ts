/** What is sent to a webhook, and when (work 6). Pure. */
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long each retry waits after the previous attempt, without jitter. */
const waits: readonly number[] = [
  5 * second,
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** The maximum jitter added to a wait, as a fraction of it. */
const jitter = 0.1

/** How long a webhook may fail without a success before it is disabled. */
const failsAtMostMs = 120 * hour

/** How long deliveries are kept. */
export const keptMs = 720 * hour

/** How long a replaced secret still signs. */
export const overlapMs = 24 * hour

/** How many replaced secrets sign at once; each adds a signature to the headers of every message. */
export const maxFormerSecrets = 5

/** Whether a list of actions matches an action; a trailing `*` matches everything with that prefix. */
export const takes = (actions: readonly string[], action: string): boolean =>
  actions.some(pattern => (pattern.endsWith('*') ? action.startsWith(pattern.slice(0, -1)) : pattern === action))

/**
 * How long the next retry waits after a number of attempts, ms; undefined after the last one.
 * @param random from 0 to 1
 */
export function waitAfter(attempts: number, random: number): number | undefined {
  const wait = waits[attempts - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + jitter * random))
}

/** The result of an attempt. */
export interface AttemptResult {
  /** `refused`: it was not sent, because of its address. */
  readonly outcome: 'received' | 'failed' | 'refused'
  /** The status of the answer; null without one. */
  readonly status: number | null
  /** The beginning of the answer, or why there is none. */
  readonly excerpt: string | null
  readonly durationMs: number
}

/** The receiver is gone for good. */
const goneStatus = 410

/** The effect of an attempt on a delivery. */
export type DeliveryEffect =
  | { readonly status: 'delivered' | 'failed' }
  | { readonly status: 'pending'; readonly waitMs: number }

/** The effect of an attempt on a delivery: it was received, is retried, or fails for good. */
export function settledBy({ outcome, status }: AttemptResult, attempts: number, random: number): DeliveryEffect {
  if (outcome === 'received') return { status: 'delivered' }
  const waitMs = outcome === 'refused' || status === goneStatus ? undefined : waitAfter(attempts, random)
  return waitMs === undefined ? { status: 'failed' } : { status: 'pending', waitMs }
}

/** The effect of an attempt on its webhook. */
export interface Health {
  readonly last_success_at?: string
  readonly last_failure_at?: string
  readonly failing_since?: string | null
  /** Why the webhook is disabled now. */
  readonly disabled_reason?: string
}

const saysGone = { disabled_reason: 'The receiver answered 410: it is gone.' } as const

/**
 * The effect of a ping on the webhook: only whether the receiver is gone. It does not count as the success of an event,
 * which would postpone the disabling of a webhook whose events fail.
 */
export const healthAfterPing = ({ status }: AttemptResult): Health => (status === goneStatus ? saysGone : {})

/** The effect of an attempt on the webhook: it works, fails, is gone, or has failed for too long. */
export function healthAfter(
  { outcome, status }: AttemptResult,
  { failing_since }: { readonly failing_since: string | null },
  now: string,
): Health {
  if (outcome === 'received') return { last_success_at: now, failing_since: null }
  const since = failing_since ?? now
  const failure = { last_failure_at: now, failing_since: since }
  if (status === goneStatus) return { ...failure, ...saysGone }
  if (Date.parse(now) - Date.parse(since) < failsAtMostMs) return failure
  return { ...failure, disabled_reason: 'It failed for 5 days without a success.' }
}

/** What is sent to a webhook, and when (work 6). Pure. */
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long each further try waits after the one before, before jitter. */
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

/** What is added to a wait at most, as a part of it. */
const jitter = 0.1

/** A webhook that fails for so long without a success is switched off. */
const failsAtMostMs = 120 * hour

/** How long deliveries are kept. */
export const keptMs = 720 * hour

/** How long the secret before a new one signs too. */
export const overlapMs = 24 * hour

/** How many secrets before the present one sign at once; each is a signature in the headers of every message. */
export const mostFormerSecrets = 5

/** Whether a list of actions takes an action; a `*` at the end of one takes all that begin so. */
export const takes = (actions: readonly string[], action: string): boolean =>
  actions.some(asked => (asked.endsWith('*') ? action.startsWith(asked.slice(0, -1)) : asked === action))

/**
 * How long the next try waits after so many, ms; undefined after the last one.
 * @param random from 0 to 1
 */
export function waitAfter(attempts: number, random: number): number | undefined {
  const wait = waits[attempts - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + jitter * random))
}

/** What an attempt came to. */
export interface Delivered {
  /** `refused`: it was not sent, because of its address. */
  readonly outcome: 'received' | 'failed' | 'refused'
  /** The status of the answer; null without one. */
  readonly status: number | null
  /** The beginning of the answer, or why there is none. */
  readonly excerpt: string | null
  readonly durationMs: number
}

/** The receiver is gone for good. */
const gone = 410

/** What an attempt makes of a delivery. */
export type Settled =
  | { readonly status: 'delivered' | 'failed' }
  | { readonly status: 'pending'; readonly waitMs: number }

/** What an attempt makes of a delivery: it was received, is tried again, or fails for good. */
export function settledBy({ outcome, status }: Delivered, attempts: number, random: number): Settled {
  if (outcome === 'received') return { status: 'delivered' }
  const waitMs = outcome === 'refused' || status === gone ? undefined : waitAfter(attempts, random)
  return waitMs === undefined ? { status: 'failed' } : { status: 'pending', waitMs }
}

/** What an attempt changes of its webhook. */
export interface Health {
  readonly last_success_at?: string
  readonly last_failure_at?: string
  readonly failing_since?: string | null
  /** Why the webhook is switched off now. */
  readonly disabled_reason?: string
}

const saysGone = { disabled_reason: 'The receiver answered 410: it is gone.' } as const

/**
 * What a ping says of the webhook: only that the receiver is gone. It is no success of an event, and would put off the
 * end of a webhook whose events fail.
 */
export const healthAfterPing = ({ status }: Delivered): Health => (status === gone ? saysGone : {})

/** What an attempt says of the webhook: it works, fails, is gone, or has failed for too long. */
export function healthAfter(
  { outcome, status }: Delivered,
  { failing_since }: { readonly failing_since: string | null },
  now: string,
): Health {
  if (outcome === 'received') return { last_success_at: now, failing_since: null }
  const since = failing_since ?? now
  const failure = { last_failure_at: now, failing_since: since }
  if (status === gone) return { ...failure, ...saysGone }
  if (Date.parse(now) - Date.parse(since) < failsAtMostMs) return failure
  return { ...failure, disabled_reason: 'It failed for 5 days without a success.' }
}

/** How recently a working agent must have been seen, ms (harness 6). */
const workingMs = 5 * 60_000

/** What a worker does, as far as can be observed. */
export type WorkerState = 'working' | 'quiet' | 'waiting' | 'ended'

const order: readonly WorkerState[] = ['working', 'quiet', 'waiting', 'ended']

/**
 * The state of an agent that works or may work on a board: one of its calls waits, it was seen recently, or neither.
 */
export function stateOf({
  waits,
  lastSeenAt,
  now,
}: {
  readonly waits: boolean
  readonly lastSeenAt: string | null
  readonly now: string
}): WorkerState {
  if (waits) return 'waiting'
  return lastSeenAt !== null && Date.parse(now) - Date.parse(lastSeenAt) < workingMs ? 'working' : 'quiet'
}

/** The last time at which an agent must have been seen to count as working now. */
export const workingSince = (now: string): string => new Date(Date.parse(now) - workingMs).toISOString()

/** How long an ended session is still shown, ms (harness 6). */
const shownMs = 3_600_000

/** The time since when a session may have ended to be still shown. */
export const endedSince = (now: string): string => new Date(Date.parse(now) - shownMs).toISOString()

interface WorkerPlace {
  readonly state: WorkerState
  readonly last_seen_at: string | null
  readonly id: string
}

/** By state, then most recently seen first. */
export const byState = (a: WorkerPlace, b: WorkerPlace): number =>
  order.indexOf(a.state) - order.indexOf(b.state) ||
  (b.last_seen_at ?? '').localeCompare(a.last_seen_at ?? '') ||
  a.id.localeCompare(b.id)

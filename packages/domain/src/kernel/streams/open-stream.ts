import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import type { Steps, StreamAnswer, StreamComment, StreamEvent } from '../implement.ts'
import { type Holder, holderOf } from './holder.ts'
import { type ListenerRights, listenerCheck } from './listener-rights.ts'
import type { OpenKind } from './stream-counter.ts'

/** How long a stream waits before it retries a database that could not be reached, ms. */
const unreachableMs = 500

/** Whether the caller accepts an open stream. */
export const isLive = ({ following }: Steps): boolean => following.live

const eventNumber = /^\d{1,15}$/

/** The number of the last event that the caller reports having seen; undefined when it names none. */
export const lastSeenBy = ({ following: { lastEventId = '' } }: Steps): number | undefined =>
  eventNumber.test(lastEventId.trim()) ? Number(lastEventId) : undefined

/** The source of a stream's events; it tracks how much its reader has been sent. */
export interface Source {
  /** What is sent before anything else. */
  greeting(): Promise<readonly (StreamEvent | StreamComment)[]>
  /** What is new since the last call; `more` when another call would find more at once. */
  next(): Promise<{ readonly events: readonly StreamEvent[]; readonly more: boolean }>
  /** Called once when the stream ends. */
  close?(): void
}

/** Waits until there may be something new, for at most `ms`; ends at once when `signal` fires. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** How a kind of stream runs. */
export interface StreamKind {
  /** Waits until `next` may have something new. */
  readonly changed: Wait
  /** After this long without sending, a comment keeps the stream alive, ms. */
  readonly keepAliveMs: number
  /** What decides whether the reader may listen; any change ends the stream. */
  readonly standing: ListenerRights
  /** Determines, in one read, where the stream begins. */
  readonly begin: (ctx: Context) => Promise<Source>
}

/**
 * An open stream: what happened since its starting point, then each new event, in order and exactly once. Between reads
 * it holds no database resources, and nothing is sent that happened after a change of its reader's rights (trust 1, 2).
 * @throws DomainError BUSY when too many streams are open
 */
export async function openStream(steps: Steps, course: StreamKind): Promise<StreamAnswer> {
  const { holder, rights, source } = await steps.read(async ctx => ({
    holder: await holderOf(ctx),
    rights: await course.standing.read(ctx.db, ctx.caller.id),
    source: await course.begin(ctx),
  }))
  const place = placeOf(holder, 'events', steps, () => source.close?.())
  const mayListen = listenerCheck(course.standing, holder, rights, steps)
  const events = messages(course, source, mayListen, place, patience(steps, place.signal))
  // A generator that was never started does not run its `finally`; a HEAD request, which reads no messages, never
  // starts it.
  const end = () => {
    place.leave()
    return events.return(undefined)
  }
  return { events: { [Symbol.asyncIterator]: () => ({ next: () => events.next(), return: end }) } }
}

/** One of the calls that an agent holds open. */
interface StreamSlot {
  /** Fires when the call should end: its caller is gone, the service stops, or a newer call takes its place. */
  readonly signal: AbortSignal
  /** Frees the place and fires `signal`. */
  readonly leave: () => void
}

/**
 * Counts a call among those that an agent holds open.
 * @param onLeave called when the place is freed, or was not available
 * @throws DomainError BUSY when too many are open
 */
function placeOf(holder: Holder, kind: OpenKind, steps: Steps, onLeave = () => {}): StreamSlot {
  const controller = new AbortController()
  const close = steps.environment.streams.open.open(holder, kind, () => controller.abort())
  if (close === null) {
    onLeave()
    throw tooManyStreams()
  }
  const leave = () => {
    close()
    controller.abort()
    onLeave()
  }
  return { signal: AbortSignal.any([steps.signal(), controller.signal]), leave }
}

/** 503: too many streams are open in all (trust 1). */
export const tooManyStreams = (): DomainError =>
  new DomainError('BUSY', 'Too many streams are open. Try again later.', { retry_after: 10 })

/** Repeats a read until the database can be reached. */
type Retry = <Value>(read: () => Promise<Value>) => Promise<Value>

/** A stream stays open while the database cannot be reached, and then continues where it was. */
function patience({ environment: { streams } }: Steps, signal: AbortSignal): Retry {
  return async read => {
    for (;;) {
      try {
        return await read()
      } catch (error) {
        if (signal.aborted || !streams.isUnreachable(error)) throw error
      }
      await sleep(unreachableMs, undefined, { signal }).catch(() => {})
    }
  }
}

async function* messages(
  { changed: next, keepAliveMs }: StreamKind,
  source: Source,
  mayListen: () => Promise<boolean>,
  { signal, leave }: StreamSlot,
  retry: Retry,
): AsyncGenerator<StreamEvent | StreamComment, undefined> {
  try {
    yield* await source.greeting()
    let sentAt = performance.now()
    let changed: Promise<void> | undefined
    while (!signal.aborted) {
      // Starts waiting before the read, so that no change in between is missed.
      changed ??= next(Math.max(0, sentAt + keepAliveMs - performance.now()), signal)
      const { events, more } = await retry(() => source.next())
      // Checked after the read: what happened after a change of rights is not sent (trust 2).
      if (!(await retry(mayListen))) return
      for (const event of events) {
        yield event
        sentAt = performance.now()
      }
      if (more) continue
      await changed
      changed = undefined
      if (performance.now() - sentAt >= keepAliveMs && !signal.aborted) {
        yield { comment: 'keepalive' }
        sentAt = performance.now()
      }
    }
  } finally {
    leave()
  }
}

/** The result of a check. */
export interface CheckOutcome<Answer> {
  readonly answer: Answer
  /** Whether the answer is worth ending the wait for. */
  readonly found: boolean
  /** Whether another check would get further at once. */
  readonly more: boolean
}

/**
 * Checks until something is found, for at most `waitMs`; in between it waits for a change without querying the
 * database. A waiting call counts among those that its agent holds open, and is answered at once when it is the oldest
 * of too many (work 5).
 * @throws DomainError BUSY when too many calls wait
 */
export async function answerOnce<Answer>(
  steps: Steps,
  {
    changed: next,
    waitMs,
    look,
  }: {
    readonly changed: Wait
    readonly waitMs: number
    readonly look: (signal: AbortSignal) => Promise<CheckOutcome<Answer>>
  },
): Promise<Answer> {
  const until = performance.now() + waitMs
  const holder = await steps.read(holderOf)
  const { signal, leave } = placeOf(holder, 'wait', steps)
  try {
    let changed: Promise<void> | undefined
    for (;;) {
      const remaining = until - performance.now()
      changed ??= next(Math.max(0, remaining), signal)
      const { answer, found, more } = await look(signal)
      if (found || remaining <= 0 || signal.aborted) return answer
      if (more) continue
      await changed
      changed = undefined
    }
  } finally {
    leave()
  }
}

/**
 * Checks, in one read each, until something is found.
 * @throws DomainError BUSY when too many calls wait
 * @see answerOnce
 */
export async function firstAnswer<Answer>(
  steps: Steps,
  {
    look,
    ...options
  }: {
    readonly changed: Wait
    readonly waitMs: number
    readonly look: (ctx: Context) => Promise<CheckOutcome<Answer>>
  },
): Promise<Answer> {
  if (options.waitMs === 0) return (await steps.read(look)).answer
  return answerOnce(steps, { ...options, look: () => steps.read(look) })
}

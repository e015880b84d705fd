import { createHash } from 'node:crypto'
import { Moment } from '@specboard/contract'
import { DomainError, invalid } from '../../kernel/errors.ts'
import type { Steps, StreamAnswer, StreamComment, StreamEvent } from '../../kernel/implement.ts'
import type { Db } from '../../schema/database.ts'
import { processedOf } from '../backfill/backfill.ts'
import { eventsAfter, lastEventBefore, lastEventId, oldestEventId } from '../events/store.ts'
import { readQueueCounts } from '../queue/lists.ts'

/** After this long without sending, a comment keeps the stream alive, ms. */
const keepAliveMs = 10_000

/** How long a check that the caller may listen holds before it is repeated, ms. */
const settledMs = 1_000

/** How long a client waits before it reconnects, ms. */
const retryMs = 2_000

/** How many events are read at once. */
const pageSize = 500

/** The query of a request for events. */
interface Asked {
  readonly since?: string | number | undefined
  readonly wait_ms: number
}

/** Whether the caller accepts an open stream. */
export const isLive = ({ following }: Steps): boolean => following.live

const eventNumber = /^\d{1,15}$/

/**
 * The event after which a stream begins: the last one that the client has seen, else the last before `since`, else the
 * newest.
 * @throws DomainError VALIDATION_ERROR
 */
async function resumeAt(db: Db, board: string, asked: Asked['since'], lastSeen: string | undefined): Promise<number> {
  if (lastSeen !== undefined && eventNumber.test(lastSeen.trim())) return Number(lastSeen)
  const since = String(asked ?? '')
  if (since === '') return lastEventId(db, board)
  if (eventNumber.test(since)) return Number(since)
  const time = Moment.safeParse(since)
  if (!time.success) throw invalid('since', 'since must be an event id or an ISO 8601 time.')
  return lastEventBefore(db, board, time.data)
}

/** The counts of a board's queue (knowledge-graph 12). */
interface Progress {
  readonly pending: number
  readonly claimed: number
  readonly done: number
  readonly failed: number
  readonly paused: number
  readonly total: number
  readonly processed: number
}

async function readProgressOf(db: Db, board: string): Promise<Progress> {
  const { pending, claimed, paused, failed } = await readQueueCounts(db, board)
  const processed = await processedOf(db, board)
  return { pending, claimed, done: processed, failed, paused, total: pending + claimed + paused + processed, processed }
}

/** The counts of a board's queue, read once for all streams that need them at the same time. */
const sharedProgress = ({ environment }: Steps, board: string): Promise<Progress> =>
  environment.graph.shared.read(`progress ${board}`, db => readProgressOf(db, board))

const progressEvent = (payload: Progress, now: string) => ({
  event_id: `progress:${createHash('sha256')
    .update(`${now} ${JSON.stringify(payload)}`)
    .digest('hex')
    .slice(0, 16)}`,
  event_type: 'kg.queue.progress' as const,
  created_at: now,
  payload,
})

/** Everything about an agent that decides whether it may listen to an existing board: any change ends its streams. */
const standing = async (db: Db, board: string, agentId: string): Promise<string> =>
  JSON.stringify(
    await db
      .selectFrom('agents')
      .innerJoin('boards', join => join.on(({ eb, val }) => eb('boards.id', '=', val(board))))
      .leftJoin('presets', 'presets.id', 'agents.preset_id')
      .leftJoin('grants', join =>
        join.onRef('grants.agent_id', '=', 'agents.id').onRef('grants.board_id', '=', 'boards.id'),
      )
      .leftJoin('shares', join =>
        join.onRef('shares.user_id', '=', 'agents.id').onRef('shares.board_id', '=', 'boards.id'),
      )
      .select([
        'agents.is_active',
        'agents.deleted_at',
        'agents.key_hash',
        'agents.preset_id',
        'agents.permission_flags',
        'presets.revision',
        'boards.owner_id',
        'grants.permission_overrides',
        'grants.id as grant_id',
        'shares.permission as share',
      ])
      .where('agents.id', '=', agentId)
      .execute(),
  )

/**
 * An open stream of a board's events (knowledge-graph 12): the events after the resume point, then each new one, in
 * order and exactly once. Between reads it holds no database resources.
 * @throws DomainError VALIDATION_ERROR, TOO_MANY_STREAMS
 */
export async function streamAnswer(board: string, { since }: Asked, steps: Steps): Promise<StreamAnswer> {
  const { graph } = steps.environment
  const start = await steps.read(async ctx => ({
    agentId: ctx.caller.id,
    after: await resumeAt(ctx.db, board, since, steps.following.lastEventId),
    last: await lastEventId(ctx.db, board),
    oldest: await oldestEventId(ctx.db, board),
    standing: await standing(ctx.db, board, ctx.caller.id),
  }))
  const replaced = new AbortController()
  const close = graph.streams.open(start.agentId, () => replaced.abort())
  if (close === null) throw new DomainError('BUSY', 'Too many streams are open. Try again later.', { retry_after: 10 })
  return { events: messages(board, start, steps, replaced.signal, close) }
}

/**
 * The messages of an open stream.
 * @param replaced fires when a newer stream of the agent takes its place
 */
async function* messages(
  board: string,
  start: {
    readonly agentId: string
    readonly after: number
    readonly last: number
    readonly oldest: number | null
    readonly standing: string
  },
  steps: Steps,
  replaced: AbortSignal,
  close: () => void,
): AsyncGenerator<StreamEvent | StreamComment> {
  const { signals, shared } = steps.environment.graph
  const { agentId } = start
  let settledAt = performance.now()
  const mayListen = async (): Promise<boolean> => {
    const stands = await shared.read(`standing ${board} ${agentId}`, db => standing(db, board, agentId))
    if (stands !== start.standing) return false
    if (performance.now() - settledAt < settledMs) return true
    settledAt = performance.now()
    try {
      return await steps.read(async () => true)
    } catch (error) {
      if (error instanceof DomainError) return false
      throw error
    }
  }
  try {
    yield { event: 'hello', data: { board_id: board, last_event_id: start.last }, retry: retryMs }
    let shown = await sharedProgress(steps, board)
    yield { event: 'kg.queue.progress', data: progressEvent(shown, nowOf(steps)) }
    if (start.oldest !== null && start.after > 0 && start.after < start.oldest)
      yield { event: 'kg.stream.reset', data: { oldest_id: start.oldest } }
    let after = start.after
    let sentAt = performance.now()
    const gone = AbortSignal.any([steps.gone(), replaced])
    while (!gone.aborted) {
      // Starts waiting before the read, so that no change in between is missed.
      const changed = signals.next(board, Math.max(0, sentAt + keepAliveMs - performance.now()), gone)
      const [events, progress] = await Promise.all([
        shared.read(`events ${board} ${after}`, db => eventsAfter(db, board, after, pageSize)),
        sharedProgress(steps, board),
      ])
      // Asked after the read: what came after a change of rights is not sent (trust 2).
      if (!(await mayListen())) return
      for (const event of events) {
        after = event.id
        yield { id: String(event.id), event: event.event_type, data: event }
        sentAt = performance.now()
      }
      if (JSON.stringify(progress) !== JSON.stringify(shown)) {
        shown = progress
        yield { event: 'kg.queue.progress', data: progressEvent(shown, nowOf(steps)) }
        sentAt = performance.now()
      }
      if (events.length < pageSize) await changed
      if (performance.now() - sentAt >= keepAliveMs && !gone.aborted) {
        yield { comment: 'keepalive' }
        sentAt = performance.now()
      }
    }
  } finally {
    close()
  }
}

const nowOf = ({ environment }: Steps): string => new Date(environment.clock()).toISOString()

/** The events after the resume point in one answer; waits up to `wait_ms` for the first. */
export async function onceAnswer(board: string, { since, wait_ms }: Asked, steps: Steps) {
  const { signals } = steps.environment.graph
  const after = await steps.read(ctx => resumeAt(ctx.db, board, since, steps.following.lastEventId))
  const until = performance.now() + wait_ms
  const gone = steps.gone()
  for (;;) {
    const left = until - performance.now()
    const changed = left > 0 ? signals.next(board, left, gone) : Promise.resolve()
    const { events, progress } = await steps.read(async ctx => ({
      events: await eventsAfter(ctx.db, board, after, pageSize),
      progress: await readProgressOf(ctx.db, board),
    }))
    if (events.length > 0 || left <= 0 || gone.aborted)
      return { events, last_event_id: events.at(-1)?.id ?? after, progress: progressEvent(progress, nowOf(steps)) }
    await changed
  }
}

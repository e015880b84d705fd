import { createHash } from 'node:crypto'
import { Moment } from '@specboard/contract'
import { invalid } from '../../kernel/errors.ts'
import type { Steps, StreamAnswer } from '../../kernel/implement.ts'
import { boardStream, firstFound } from '../../kernel/streams/board-stream.ts'
import { lastSeenBy } from '../../kernel/streams/open-stream.ts'
import type { Db } from '../../schema/database.ts'
import { processedOf } from '../backfill/backfill.ts'
import { eventsAfter, lastEventBefore, lastEventId, oldestEventId } from '../events/store.ts'
import { readQueueCounts } from '../queue/lists.ts'

/** How long a stream may be silent before a comment keeps it alive, ms. */
const keepAliveMs = 10_000

/** How long a client waits before it reconnects, ms. */
const retryMs = 2_000

/** How many events are read at once. */
const pageSize = 500

/** The query of a request for events. */
interface StreamQuery {
  readonly since?: string | number | undefined
  readonly wait_ms: number
}

const eventNumber = /^\d{1,15}$/

/**
 * The event after which a stream begins: the last one that the client has seen, else the last before `since`, else the
 * newest.
 * @throws DomainError VALIDATION_ERROR
 */
async function resumeAt(
  db: Db,
  board: string,
  requested: StreamQuery['since'],
  lastSeen: number | undefined,
): Promise<number> {
  if (lastSeen !== undefined) return lastSeen
  const since = String(requested ?? '')
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
  environment.streams.shared.read(`progress ${board}`, db => readProgressOf(db, board))

const progressEvent = (payload: Progress, now: string) => ({
  event_id: `progress:${createHash('sha256')
    .update(`${now} ${JSON.stringify(payload)}`)
    .digest('hex')
    .slice(0, 16)}`,
  event_type: 'kg.queue.progress' as const,
  created_at: now,
  payload,
})

const nowOf = ({ environment }: Steps): string => new Date(environment.clock()).toISOString()

/**
 * An open stream of a board's graph (knowledge-graph 12): the events after the resume point, then each new one, and the
 * queue's counts whenever they change.
 * @throws DomainError VALIDATION_ERROR, BUSY
 */
export const streamAnswer = (board: string, { since }: StreamQuery, steps: Steps): Promise<StreamAnswer> => {
  const { shared } = steps.environment.streams
  return boardStream(board, steps, {
    signals: steps.environment.graph.signals,
    keepAliveMs,
    begin: async ({ db }) => {
      const position = await resumeAt(db, board, since, lastSeenBy(steps))
      const last = await lastEventId(db, board)
      let after = Math.min(position, last)
      const oldest = await oldestEventId(db, board)
      let lastProgress: Progress | undefined
      const progressMessage = (progress: Progress) => {
        lastProgress = progress
        return { event: 'kg.queue.progress', data: progressEvent(progress, nowOf(steps)) }
      }
      return {
        greeting: async () => [
          { event: 'hello', data: { board_id: board, last_event_id: last }, retry: retryMs },
          progressMessage(await sharedProgress(steps, board)),
          ...((oldest !== null && position > 0 && position < oldest) || position > last
            ? [{ event: 'kg.stream.reset', data: { oldest_id: oldest } }]
            : []),
        ],
        next: async () => {
          const [events, progress] = await Promise.all([
            shared.read(`graph events ${board} ${after}`, read => eventsAfter(read, board, after, pageSize)),
            sharedProgress(steps, board),
          ])
          after = events.at(-1)?.id ?? after
          return {
            events: [
              ...events.map(event => ({ id: String(event.id), event: event.event_type, data: event })),
              ...(JSON.stringify(progress) === JSON.stringify(lastProgress) ? [] : [progressMessage(progress)]),
            ],
            more: events.length === pageSize,
          }
        },
      }
    },
  })
}

/** The events after the resume point in one answer; waits up to `wait_ms` for the first. */
export async function onceAnswer(board: string, { since, wait_ms }: StreamQuery, steps: Steps) {
  const after = await steps.read(ctx => resumeAt(ctx.db, board, since, lastSeenBy(steps)))
  return firstFound(board, steps, {
    signals: steps.environment.graph.signals,
    waitMs: wait_ms,
    look: async ({ db }) => {
      const events = await eventsAfter(db, board, after, pageSize)
      const progress = progressEvent(await readProgressOf(db, board), nowOf(steps))
      return {
        answer: { events, last_event_id: events.at(-1)?.id ?? after, progress },
        found: events.length > 0,
        more: false,
      }
    },
  })
}

import type { features, InputOf } from '@specboard/contract'
import { unreadableActions } from '../../kernel/change-actions.ts'
import type { Context } from '../../kernel/context.ts'
import { multiStep, type Steps } from '../../kernel/implement.ts'
import { deletedNamed } from '../../kernel/references.ts'
import { boardStream, firstFound } from '../../kernel/streams/board-stream.ts'
import { isLive, lastSeenBy } from '../../kernel/streams/open-stream.ts'
import { concerningMe } from './concerns.ts'
import { digestOf } from './digest.ts'
import { type Event, readableKinds, withoutUnreadable } from './rules.ts'
import { type EventFilter, endsOf, readEvents } from './store.ts'

type Work = (typeof features)['work']
type EventQuery = InputOf<Work['list_board_events']>['query']
/** A stream takes fewer parameters than the list; it continues from now. */
type Query = InputOf<Work['stream_board_events']>['query'] & {
  readonly [Name in 'before' | 'since' | 'until' | 'order' | 'concerns' | 'digest']?: EventQuery[Name] | undefined
}

/** How long a stream may be silent before a comment keeps it alive, ms. */
const keepAliveMs = 15_000

/** How many events a stream reads at once. */
const pageSize = 500

/**
 * The events that a reader with this access asks for, of the kinds of record that it may read. A reference that matches
 * no existing record may be that of a deleted one.
 */
const wantedOf = async (
  { db, access, caller }: Pick<Context, 'db' | 'access' | 'caller'>,
  board: string,
  { entity_type, entity_id, action, actor_id, actor_type, since, until }: Query,
): Promise<EventFilter> => ({
  kinds: readableKinds(access).filter(kind => entity_type === undefined || kind === entity_type),
  entityId: entity_id === undefined ? undefined : await deletedNamed(db, board, entity_id),
  actions: action,
  withoutActions: unreadableActions(access),
  actorId: actor_id === 'me' ? caller.id : actor_id,
  actorTypes: actor_type,
  since,
  until,
})

/**
 * The message for a reader whose position is not in the log, because it comes from another service or from before a
 * restore, or because entries after it were archived: it may have missed anything, and continues from the end.
 */
const resetTo = (board_id: string, last_sequence: number) => ({
  id: String(last_sequence),
  event: 'board.reset',
  data: { board_id, last_sequence },
})

const messageOf = (event: Event) => ({ id: String(event.sequence), event: 'board.event', data: event })

/** The events after a sequence number in one answer; oldest first, it waits up to `wait_ms` for the first. */
function eventsOnce(board: string, start: number, query: Query, steps: Steps) {
  const { before, limit, digest = false, concerns } = query
  const order = digest ? 'desc' : (query.order ?? 'asc')
  let after = start
  return firstFound(board, steps, {
    signals: steps.environment.streams.entries,
    waitMs: order === 'asc' ? query.wait_ms : 0,
    look: async ctx => {
      const { db, access } = ctx
      const part = { after, before, order, limit }
      const found = await readEvents(db, board, part, await wantedOf(ctx, board, query))
      const { lastSequence, more, archived } = found
      const events = concerns === undefined ? found.events : await ofMine(ctx, found.events)
      // A position beyond the end, which is not in the log, counts as the end.
      if (order === 'asc') after = lastSequence
      const readable = events.map(event => withoutUnreadable(event, access))
      const items = digest ? await digestOf(db, readable) : readable
      return {
        answer: {
          events: items,
          last_sequence: lastSequence,
          more,
          // The requested range includes a part of the log with missing entries.
          ...(start < archived && { archived_up_to: archived }),
        },
        found: events.length > 0,
        more,
      }
    },
  })
}

/** The events that concern the caller, in order. */
async function ofMine(ctx: Context, events: readonly Event[]): Promise<readonly Event[]> {
  const rows = await concerningMe(
    { db: ctx.db, caller: ctx.caller, now: ctx.now() },
    events.map(event => ({ event })),
  )
  return rows.map(({ event }) => event)
}

const listBoardEvents = multiStep<Work['list_board_events']>(async ({ params, query }, steps) =>
  eventsOnce(params.board_id, query.after, query, steps),
)

const streamBoardEvents = multiStep<Work['stream_board_events']>(async ({ params, query }, steps) => {
  const board = params.board_id
  const since = lastSeenBy(steps) ?? query.after
  if (!isLive(steps)) return eventsOnce(board, since ?? 0, query, steps)
  const { shared, entries } = steps.environment.streams
  return boardStream(board, steps, {
    signals: entries,
    keepAliveMs,
    begin: async ctx => {
      const { db, access } = ctx
      // A change of access ends the stream, so what its reader may read stays the same.
      const filter = await wantedOf(ctx, board, query)
      const name = `board events ${board} ${JSON.stringify(filter)}`
      const { last, archived } = await endsOf(db, board)
      const isUnknown = since !== undefined && (since > last || since < archived)
      let after = isUnknown ? last : (since ?? last)
      return {
        greeting: async () => (isUnknown ? [resetTo(board, last)] : []),
        next: async () => {
          const found = await shared.read(`${name} ${after}`, async read => {
            const { events, ...rest } = await readEvents(read, board, { after, order: 'asc', limit: pageSize }, filter)
            return { ...rest, messages: events.map(messageOf) }
          })
          after = Math.max(after, found.lastSequence)
          // Readers that may read all of an event share one message, whose bytes are made once for all streams.
          const events = found.messages.map(message => {
            const readable = withoutUnreadable(message.data, access)
            return readable === message.data ? message : messageOf(readable)
          })
          return { events, more: found.more }
        },
      }
    },
  })
})

/** The events of a board (work 5). */
export const eventOperations = {
  list_board_events: listBoardEvents,
  stream_board_events: streamBoardEvents,
}

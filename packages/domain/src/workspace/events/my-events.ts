import type { features, InputOf } from '@specboard/contract'
import { Access } from '../../kernel/access/access.ts'
import { waysOf } from '../../kernel/access/boards.ts'
import type { Context } from '../../kernel/context.ts'
import { multiStep, type Steps, type StreamEvent } from '../../kernel/implement.ts'
import { ownRights } from '../../kernel/streams/listener-rights.ts'
import { firstAnswer, isLive, openStream, type Source, type Wait } from '../../kernel/streams/open-stream.ts'
import { visibilitySignal } from '../../kernel/streams/streams.ts'
import { archivedPosition } from './archiving/store.ts'
import { concerningMe } from './concerns.ts'
import { type CountWaiting, InboxWatch } from './inbox-watch.ts'
import { cursorOf, mayRead, type ReadPosition, reachedBy, withoutUnreadable } from './rules.ts'
import { eventsOfAll, type FoundOfAll, type PositionedEvent, reachedNow } from './store.ts'

type StreamMyEvents = (typeof features)['me']['stream_my_events']
type Query = InputOf<StreamMyEvents>['query']

/** How long a stream may be silent before a comment keeps it alive, ms. */
const keepAliveMs = 15_000

/** The delays before re-checking events that wait for earlier ones, ms: the first, and the longest. */
const firstHeldMs = 25
const maxHeldMs = 1_000

/** How many events one check reads. */
const pageSize = 500

/** The caller's access to each board whose events it gets, by board id. */
type Sight = ReadonlyMap<string, Access>

const sightOf = (accesses: readonly Access[], named: readonly string[] | undefined): Sight =>
  new Map(
    accesses
      .map(access => [access.way!.boardId, access] as const)
      .filter(([id]) => named === undefined || named.includes(id)),
  )

/** Whether an event is one of those that a reader asks for. */
const isAsked =
  ({ entity_type, action }: Query) =>
  ({ event }: PositionedEvent): boolean =>
    (entity_type === undefined || event.entity_type === entity_type) &&
    (action === undefined || action.includes(event.action))

/** The boards that the caller sees, or those that it names. */
async function sightNow(ctx: Context, named: readonly string[] | undefined): Promise<Sight> {
  const ways = await ctx.ways()
  return sightOf(
    ways.map(way => new Access(ctx.caller.base, way)),
    named,
  )
}

/** The events that a reader gets, without those that it may not read, and those from before it began. */
const visible = (placed: readonly PositionedEvent[], sight: Sight, past: ReadPosition['past']): PositionedEvent[] =>
  placed.flatMap(({ event, position }) => {
    const access = sight.get(event.board_id)
    const isRead = access !== undefined && mayRead(event, access) && !past.includes(position)
    return isRead ? [{ event: withoutUnreadable(event, access), position }] : []
  })

/**
 * Where a call begins: at the position in its cursor, otherwise at the present.
 * @throws DomainError NOT_FOUND for a named board that is not visible; INVALID_CURSOR
 */
async function beginning(
  ctx: Context,
  { board_id = [], after }: Query,
  lastEventId: string | undefined,
): Promise<ReadPosition> {
  for (const board of board_id) await ctx.reach('board', board)
  const now = await reachedNow(ctx.db)
  const cursor = lastEventId ?? after
  return cursor === undefined ? now : reachedBy(cursor, { first: await archivedPosition(ctx.db), last: now.position })
}

/** Waits for events on boards, for messages to an agent, and for changes of what it sees. */
const changesOf =
  ({ environment }: Steps, agentId: string, boards: () => Iterable<string>): Wait =>
  (ms, signal) =>
    environment.streams.entries.next([...boards(), agentId, visibilitySignal], ms, signal)

/** The events after a cursor in one answer; waits up to `wait_ms` for the first. */
async function eventsOnce(query: Query, steps: Steps) {
  const { limit, wait_ms, board_id } = query
  let { position, past, sight, agentId } = await steps.read(async ctx => ({
    ...(await beginning(ctx, query, steps.following.lastEventId)),
    sight: await sightNow(ctx, board_id),
    agentId: ctx.caller.id,
  }))
  const wake = () => steps.environment.streams.entries.notify(agentId)
  return firstAnswer(steps, {
    changed: changesOf(steps, agentId, () => sight.keys()),
    waitMs: wait_ms,
    look: async ctx => {
      sight = await sightNow(ctx, board_id)
      const found = await eventsOfAll(ctx.db, position, pageSize)
      const matches = visible(found.placed, sight, past).filter(isAsked(query))
      const mine = { db: ctx.db, caller: ctx.caller, now: ctx.now() }
      const readable = query.concerns === undefined ? matches : await concerningMe(mine, matches)
      const page = readable.slice(0, limit)
      const isCut = page.length < readable.length
      position = isCut ? page.at(-1)!.position : found.position
      const more = isCut || found.more
      // There is no notification when the units of work that later events wait for have ended.
      if (found.held && page.length === 0) setTimeout(wake, firstHeldMs).unref()
      return {
        answer: { events: page.map(({ event }) => event), cursor: cursorOf({ position, past }), more },
        found: page.length > 0,
        more,
      }
    },
  })
}

/** Where a stream begins. */
interface StreamStart {
  readonly reached: ReadPosition
  readonly sight: Sight
  readonly count: CountWaiting
}

/**
 * The source of one stream: the events of all boards in its sight, changes of that sight, its inbox, and its own
 * messages.
 */
class MyEvents implements Source {
  readonly #steps: Steps
  readonly #caller: Context['caller']
  readonly #query: Query
  readonly #inbox: InboxWatch
  readonly #own
  readonly #endOfTouches: () => void
  #heldMs = firstHeldMs
  #looksAgain: NodeJS.Timeout | undefined
  readonly #past: ReadPosition['past']
  #position: number
  #sight: Sight

  constructor(steps: Steps, caller: Context['caller'], query: Query, start: StreamStart) {
    const { streams } = steps.environment
    this.#steps = steps
    this.#caller = caller
    this.#query = query
    this.#past = start.reached.past
    this.#position = start.reached.position
    this.#sight = start.sight
    this.#inbox = new InboxWatch(steps, start.count, query.board_id === undefined, () =>
      streams.entries.notify(caller.id),
    )
    this.#own = streams.own.open(caller.id)
    this.#endOfTouches = streams.onInbox(caller.id, () => this.#inbox.touch())
  }

  get boards(): Iterable<string> {
    return this.#sight.keys()
  }

  async greeting(): Promise<readonly StreamEvent[]> {
    return this.#inboxMessages(this.#position)
  }

  async next() {
    const { shared } = this.#steps.environment.streams
    const after = this.#position
    const found = await shared.read(`events of all boards ${after}`, db => eventsOfAll(db, after, pageSize))
    this.#lookAgain(found)
    // Read after the events: what happened after a change of visibility is not sent (trust 2).
    const changed = await this.#lookAround()
    if (changed.length > 0 || found.placed.some(({ event }) => this.#sight.has(event.board_id))) this.#inbox.touch()
    const inbox = await this.#inboxMessages(found.position)
    // Nothing can fail from here on: what was read is sent.
    this.#position = found.position
    const matches = visible(found.placed, this.#sight, this.#past).filter(isAsked(this.#query))
    const events = (await this.#ofMine(matches)).map(({ event, position }) => ({
      id: this.#cursorAt(position),
      event: 'board.event',
      data: event,
    }))
    const own = this.#own.take().map(message => ({ id: this.#cursorAt(found.position), ...message }))
    return { events: [...changed, ...events, ...own, ...inbox], more: found.more }
  }

  /** The events that concern the reader, if it asks only for them. */
  #ofMine(events: readonly PositionedEvent[]): Promise<readonly PositionedEvent[]> {
    if (this.#query.concerns === undefined || events.length === 0) return Promise.resolve(events)
    return this.#steps.read(ctx => concerningMe({ db: ctx.db, caller: ctx.caller, now: ctx.now() }, events))
  }

  /**
   * Checks again later, because there is no notification when the units of work that later events wait for have ended.
   */
  #lookAgain({ held, placed }: FoundOfAll): void {
    clearTimeout(this.#looksAgain)
    this.#heldMs = held && placed.length === 0 ? Math.min(2 * this.#heldMs, maxHeldMs) : firstHeldMs
    const wake = () => this.#steps.environment.streams.entries.notify(this.#caller.id)
    if (held) this.#looksAgain = setTimeout(wake, this.#heldMs).unref()
  }

  close(): void {
    clearTimeout(this.#looksAgain)
    this.#own.close()
    this.#endOfTouches()
    this.#inbox.close()
  }

  #cursorAt(position: number): string {
    return cursorOf({ position, past: this.#past })
  }

  /** Checks again which boards the reader sees, and reports any difference. */
  async #lookAround(): Promise<readonly StreamEvent[]> {
    const { id, base } = this.#caller
    const ways = await this.#steps.environment.streams.shared.read(`ways ${id}`, db => waysOf(db, id))
    const before = [...this.#sight.keys()]
    this.#sight = sightOf(
      ways.map(way => new Access(base, way)),
      this.#query.board_id,
    )
    const board_ids = [...this.#sight.keys()]
    if (board_ids.join() === before.join()) return []
    return [{ id: this.#cursorAt(this.#position), event: 'boards', data: { board_ids } }]
  }

  async #inboxMessages(position: number): Promise<readonly StreamEvent[]> {
    const counts = await this.#inbox.changed([...this.#sight.keys()])
    return counts === null ? [] : [{ id: this.#cursorAt(position), event: 'inbox', data: { counts } }]
  }
}

/**
 * stream_my_events (board 2).
 * @param count counts the items waiting for the caller on boards
 */
export const streamMyEvents = (count: CountWaiting) =>
  multiStep<StreamMyEvents>(async ({ query }, steps) => {
    if (!isLive(steps)) return eventsOnce(query, steps)
    const { caller, reached, sight } = await steps.read(async ctx => ({
      caller: ctx.caller,
      reached: await beginning(ctx, query, steps.following.lastEventId),
      sight: await sightNow(ctx, query.board_id),
    }))
    const source = new MyEvents(steps, caller, query, { reached, sight, count })
    return openStream(steps, {
      keepAliveMs,
      standing: ownRights,
      changed: changesOf(steps, caller.id, () => source.boards),
      begin: async () => source,
    })
  })

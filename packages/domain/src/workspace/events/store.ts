import { EventEntity } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type Selectable, sql } from 'kysely'
import { entriesAfter, readableLog } from '../../kernel/log-places.ts'
import { refsInLog } from '../../kernel/references.ts'
import { parseNullable } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Change } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { BoardsTable, EventsTable } from '../../schema/tables.ts'
import { archivedOn } from './archiving/store.ts'
import type { Event, ReadPosition } from './rules.ts'

/** The maximum number of log entries that one check passes, so that a rare event does not cost the whole log. */
const passedAtMost = 5_000

/** The maximum number of characters of contents in one answer, beyond its first event. */
const contentsAtMost = 1_000_000

/** The requested events. */
export interface EventFilter {
  readonly kinds: readonly string[]
  readonly entityId?: string | undefined
  /** Any action when undefined. */
  readonly actions?: readonly string[] | undefined
  /** Actions to leave out. */
  readonly withoutActions?: readonly string[]
  readonly actorId?: string | undefined
  readonly actorTypes?: readonly string[] | undefined
  /** Whether to leave out events written by imports. */
  readonly withoutImported?: true
  /** From this time on. */
  readonly since?: string | undefined
  /** Before this time. */
  readonly until?: string | undefined
}

/** A part of the log, and the direction in which it is read. */
export interface Part {
  /** Only later events. */
  readonly after: number
  /** Only earlier events. */
  readonly before?: number | undefined
  readonly order: 'asc' | 'desc'
  readonly limit: number
}

/** The events found, and how far the check went. */
export interface EventPage {
  readonly events: readonly Event[]
  readonly lastSequence: number
  readonly more: boolean
  /** The sequence number up to which entries may be missing. */
  readonly archived: number
}

const sequenceOf = hot<{ board: string }, Pick<BoardsTable, 'seq'> & { archived: number | null }>((db, param) =>
  db
    .selectFrom('boards')
    .select(['seq', archivedOn.as('archived')])
    .where('id', '=', param('board')),
)

/** Where the log of a board ends, and up to where entries may be missing; 0 when all of them are there (work 5.1). */
export async function endsOf(db: Db, board: string): Promise<{ readonly last: number; readonly archived: number }> {
  const [row] = await sequenceOf(db, { board })
  return { last: row?.seq ?? 0, archived: row?.archived ?? 0 }
}

/** The sequence number of a board's last event. */
export const lastSequence = async (db: Db, board: string): Promise<number> => (await endsOf(db, board)).last

/**
 * The events of a board in part of its log. A check that is not about one record passes a limited range of it;
 * `lastSequence` says how far it went: oldest first, to the end of the part when there is nothing more; newest first,
 * the lowest sequence number seen (work 5, board 6).
 */
export async function readEvents(db: Db, board: string, part: Part, filter: EventFilter): Promise<EventPage> {
  const { after, before = Number.POSITIVE_INFINITY, order, limit } = part
  const ends = await endsOf(db, board)
  const last = Math.min(ends.last, before - 1)
  const span = filter.entityId === undefined ? passedAtMost : Number.POSITIVE_INFINITY
  const [from, to] = order === 'asc' ? [after, Math.min(last, after + span)] : [Math.max(after, last - span), last]
  const { rows, matching } = await matchingEntries(
    db,
    { board, after: from, upTo: to, order, limit: limit + 1 },
    filter,
  )
  const page = rows.slice(0, limit)
  const isCut = page.length < matching
  const refs = await refsInLog(
    db,
    page.map(({ entity_id }) => entity_id),
  )
  const more = isCut || (order === 'asc' ? to < last : from > after)
  const reached = order === 'asc' ? to : Math.min(from + 1, Math.max(last, 0))
  const endsWithEvent = isCut || (order === 'desc' && !more && page.length > 0)
  return {
    events: page.map(row => eventOf(row, refs.get(row.entity_id) ?? null)),
    lastSequence: endsWithEvent ? page.at(-1)!.seq : reached,
    more,
    archived: ends.archived,
  }
}

/** The number of existing but unreadable entries that are distinguished from later ones. */
const maxPast = 100

const placesAfter = hot<{ after: number; limit: number }, Pick<EventsTable, 'position'>>((db, param) =>
  db
    .selectFrom('events')
    .select('position')
    .where('position', '>', param('after'))
    .orderBy('position')
    .limit(param('limit')),
)

/** The position of a reader that begins now. */
export async function reachedNow(db: Db): Promise<ReadPosition> {
  const { value, held } = await readableLog(db)
  const waiting = held === 1 ? await placesAfter(db, { after: value, limit: maxPast }) : []
  return { position: value, past: waiting.map(({ position }) => position!) }
}

/**
 * At start, makes new entries follow all existing ones: the entries of a restored database may have later positions
 * than its server would assign.
 */
export async function continueLog(db: Db): Promise<void> {
  const { last } = await db
    .selectFrom('events')
    .select(({ fn }) => fn.max('position').as('last'))
    // The index contains only entries with a position: without this, each start would read the whole log.
    .where('position', 'is not', null)
    .executeTakeFirstOrThrow()
  const { value } = await readableLog(db)
  if (last !== null && last > value)
    await db
      .updateTable('counters')
      .set(eb => ({ value: eb('value', '+', last - value) }))
      .where('name', '=', 'events')
      .execute()
}

/** An event, and its position among those of all boards. */
export interface PositionedEvent {
  readonly event: Event
  readonly position: number
}

/** The position of the last entry that one check passes, and how many it passes. */
const segment = hot<{ after: number; last: number; most: number }, { end: number | null; passed: number }>(
  (db, param) =>
    db
      .selectFrom(
        db
          .selectFrom('events')
          .select('position')
          .where('position', '>', param('after'))
          .where('position', '<=', param('last'))
          .orderBy('position')
          .limit(param('most'))
          .as('entry'),
      )
      .select(({ fn }) => [fn.max('entry.position').as('end'), fn.countAll<number>().as('passed')]),
)

/** The events found on all boards. */
export interface FoundOfAll {
  readonly placed: readonly PositionedEvent[]
  /** How far the check went. */
  readonly position: number
  readonly more: boolean
  /** Whether there are later events that can be read only once units of work that began before them have ended. */
  readonly held: boolean
}

/** The events of all boards after a position, in commit order. */
export async function eventsOfAll(db: Db, after: number, limit: number): Promise<FoundOfAll> {
  const { value, held } = await readableLog(db)
  const { end, passed } = (await segment(db, { after, last: value, most: passedAtMost }))[0]!
  const upTo = end ?? after
  const { rows, matching } = await matchingEntries(
    db,
    { after, upTo, limit: limit + 1, order: 'asc' },
    { kinds: EventEntity.options },
  )
  const page = rows.slice(0, limit)
  const isCut = page.length < matching
  const refs = await refsInLog(
    db,
    page.map(({ entity_id }) => entity_id),
  )
  const placed = page.map(row => ({ event: eventOf(row, refs.get(row.entity_id) ?? null), position: row.position! }))
  return {
    placed,
    position: isCut ? placed.at(-1)!.position : upTo,
    more: isCut || passed === passedAtMost,
    held: held === 1,
  }
}

/** The records that the entries after a position are about; `held` as in `FoundOfAll`. */
export async function writtenAfter(db: Db, after: number) {
  const { rows, ...reached } = await entriesAfter(db, after, passedAtMost)
  return {
    written: rows.map(({ id, board_id, entity_type, entity_id, card_id, action, details }) => ({
      id,
      boardId: board_id,
      entity: { type: entity_type, id: entity_id },
      cardId: card_id,
      ...(action !== null && { activity: { action, details: parseNullable(details) } }),
    })),
    ...reached,
  }
}

type EntryRow = Omit<
  Selectable<EventsTable>,
  'action' | 'history_action' | 'card_id' | 'summary' | 'rev' | 'domain' | 'imported'
> & {
  readonly imported: Flag
  readonly action: string
  readonly size: number
  readonly size_before: number
  readonly matching: number
}

/** The event with a sequence number; undefined when it was not requested. */
export async function eventAt(
  db: Db,
  board: string,
  sequence: number,
  filter: EventFilter,
): Promise<Event | undefined> {
  const { rows } = await matchingEntries(
    db,
    { board, after: sequence - 1, upTo: sequence, limit: 1, order: 'asc' },
    filter,
  )
  const [row] = rows
  if (row === undefined) return undefined
  return eventOf(row, (await refsInLog(db, [row.entity_id])).get(row.entity_id) ?? null)
}

/** A part of the log: by the sequence of a board, or by the position among the entries of all boards. */
interface Segment {
  readonly board?: string
  readonly after: number
  readonly upTo: number
  readonly limit: number
  readonly order: 'asc' | 'desc'
}

/**
 * The matching entries in part of the log, until their contents are too long, and the number of matches. Followers of
 * the log usually ask when there is nothing new.
 */
async function matchingEntries(
  db: Db,
  part: Segment,
  { kinds, entityId, actions, withoutActions = [], actorId, actorTypes, since, until, withoutImported }: EventFilter,
): Promise<{ readonly rows: readonly EntryRow[]; readonly matching: number }> {
  if (part.upTo <= part.after) return { rows: [], matching: 0 }
  // An event is named as in the activity, or as in the history of its record when it is not in the activity.
  const action = sql<string>`coalesce(action, history_action)`
  const size = sql<number>`coalesce(octet_length(changes), 0) + coalesce(octet_length(details), 0)`
  const place = part.board === undefined ? 'position' : 'seq'
  const matching = db
    .selectFrom('events')
    .select(['id', 'board_id', 'seq', 'entity_type', 'entity_id', 'actor_id', 'actor_name', 'details', 'changes'])
    .select(['actor_type', 'actor_via', 'version', 'created_at', 'position', 'imported'])
    .select([action.as('action'), size.as('size')])
    .$if(part.board !== undefined, query => query.where('board_id', '=', part.board!))
    .where(place, '>', part.after)
    .where(place, '<=', part.upTo)
    .where(action, 'is not', null)
    .where(eb => dialect.inList(eb.ref('entity_type'), JSON.stringify(kinds)))
    .$if(entityId !== undefined, query => query.where('entity_id', '=', entityId!))
    .$if(actions !== undefined, query => query.where(() => dialect.inList(action, JSON.stringify(actions))))
    .$if(withoutActions.length > 0, query =>
      query.where(sql<boolean>`not ${dialect.inList(action, JSON.stringify(withoutActions))}`),
    )
    .$if(actorId !== undefined, query => query.where('actor_id', '=', actorId!))
    .$if(actorTypes !== undefined, query =>
      query.where(eb => dialect.inList(eb.ref('actor_type'), JSON.stringify(actorTypes))),
    )
    .$if(withoutImported === true, query => query.where('imported', '=', 0))
    .$if(since !== undefined, query => query.where('created_at', '>=', since!))
    .$if(until !== undefined, query => query.where('created_at', '<', until!))
    .orderBy(place, part.order)
    .limit(part.limit)
  const measured = db
    .selectFrom(matching.as('entry'))
    .selectAll()
    .select([
      sql<number>`sum(size) over (order by ${sql.ref(place)} ${sql.raw(part.order)}) - size`.as('size_before'),
      sql<number>`count(*) over ()`.as('matching'),
    ])
  const rows = await db
    .selectFrom(measured.as('entry'))
    .selectAll()
    .where('size_before', '<', contentsAtMost)
    .orderBy(place, part.order)
    .execute()
  return { rows, matching: Number(rows[0]?.matching ?? 0) }
}

function eventOf(
  { seq, created_at, changes, details, position, size, size_before, matching, imported, ...row }: EntryRow,
  ref: string | null,
): Event {
  const { changes: listed, ...rest } = parseNullable(details) ?? {}
  return {
    sequence: seq,
    ...row,
    entity_type: row.entity_type as Event['entity_type'],
    ref,
    at: created_at,
    changes: parseNullable(changes) ?? changesIn(listed),
    details: details === null ? null : rest,
    ...(imported === 1 && { imported: true as const }),
  }
}

/**
 * The changes in the details of an activity whose record has no history: a list for a card (cards 13), pairs for a
 * board (access 14).
 */
function changesIn(listed: unknown): Change[] | null {
  if (Array.isArray(listed)) return listed
  if (typeof listed !== 'object' || listed === null) return null
  return Object.entries(listed).map(([field, [old, now]]) => ({ field, old, new: now }))
}

import { type Counter, groupOf } from '@specboard/storage'
import { type Insertable, sql } from 'kysely'
import { toJson } from '../lib/json.ts'
import type { Change, DomainEvent } from '../schema/contents.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import { revisedTables } from '../schema/revisions.ts'
import { insertRow } from '../schema/rows.ts'
import type { ActorVia, EventsTable, PrincipalKind } from '../schema/tables.ts'

/** What a write appends to the event log: an entry of the board's activity, of the record's history, or both. */
export interface Entry {
  readonly boardId: string
  /** The record that the write changed. */
  readonly entity: { readonly type: string; readonly id: string }
  /** The entry in the board's activity. */
  readonly activity?: { readonly action: string; readonly details?: Readonly<Record<string, unknown>> | null }
  /** The entry in the record's own history. */
  readonly history?: {
    readonly action: string
    readonly changes?: readonly Change[] | null
    readonly summary?: string | null
    readonly version?: number | null
  }
  /** What changed in a record without a history, such as a card. */
  readonly changes?: readonly Change[]
  /** The card whose activity lists the entry. */
  readonly cardId?: string | null
  /**
   * Cards for which the write counts as work, although it is not one of their entries: those that were linked, or whose
   * scenario was changed or run (crew 5.3).
   */
  readonly workOn?: readonly string[]
  readonly domain?: readonly DomainEvent[]
  /** Whether an import wrote it: webhooks are not sent for it (work 6). */
  readonly imported?: true
}

/**
 * What entries record about a call that the person at a client confirmed (people 4): the client's claim, no proof of
 * identity.
 */
export const confirmedByClient = { confirmed: 'client' } as const

/** An entry as it was written. */
export interface RecordedEvent extends Entry, Authorship {
  readonly seq: number
}

/** The sequence number of a board's events, counted in the board's row. */
export const boardSequence: Counter = { table: 'boards', column: 'seq', id: 'id' }

/** The position of an entry in the log of all boards (board 2). */
export const logPosition: Counter = { table: 'counters', column: 'value', id: 'name', isByCommit: true }

/** Appends an entry to the event log, in the transaction of the write. */
export async function appendEvent(db: Db, entry: Entry, authorship: Authorship): Promise<RecordedEvent> {
  const group = groupOf(db)
  const [seq, position] = await Promise.all([
    group.next(boardSequence, entry.boardId),
    group.next(logPosition, 'events'),
  ])
  await insertEntry(db, eventRow(entry, authorship, { seq, position }))
  return { ...entry, ...authorship, seq }
}

type Row = Insertable<EventsTable>

const insertsWithRev = new Map<string, (db: Db, row: Row) => Promise<unknown>>()

/** Inserts an entry, with the `rev` that its record has after the write (crew 2.4). */
async function insertEntry(db: Db, row: Row): Promise<void> {
  const table = revisedTables.get(row.entity_type)
  if (table === undefined) return insertRow(db, 'events', row)
  const insert = insertsWithRev.get(table) ?? insertWithRev(table, Object.keys(row))
  insertsWithRev.set(table, insert)
  await insert(db, row)
}

const insertWithRev = (table: string, columns: readonly string[]) =>
  hot<Readonly<Record<string, unknown>>, never>((_, param) => {
    const names = sql.join([...columns, 'rev'].map(name => sql.ref(name)))
    const rev = sql`(select rev from ${sql.table(table)} where id = ${param('entity_id')})`
    return sql<never>`insert into events (${names}) values (${sql.join([...columns.map(param), rev])})`
  })

/** The author of an entry, and when it was written. */
export interface Authorship {
  readonly id: string
  readonly actorId: string
  readonly actorName: string
  /** The kind of the actor. */
  readonly actorType: PrincipalKind
  /** The channel of the actor; null for an entry of an import. */
  readonly actorVia: ActorVia | null
  readonly createdAt: string
}

/** The row of an entry. */
export const eventRow = (
  entry: Entry,
  authorship: Authorship,
  { seq, position }: { readonly seq: number; readonly position: number },
): Insertable<EventsTable> => ({
  id: authorship.id,
  board_id: entry.boardId,
  seq,
  entity_type: entry.entity.type,
  entity_id: entry.entity.id,
  action: entry.activity?.action ?? null,
  history_action: entry.history?.action ?? null,
  card_id: entry.cardId ?? null,
  actor_id: authorship.actorId,
  actor_name: authorship.actorName,
  actor_type: authorship.actorType,
  actor_via: authorship.actorVia,
  details: toJson(entry.activity?.details),
  changes: toJson(entry.history?.changes ?? entry.changes),
  summary: entry.history?.summary ?? null,
  version: entry.history?.version ?? null,
  domain: toJson(entry.domain),
  imported: entry.imported ? 1 : 0,
  created_at: authorship.createdAt,
  position,
})

/** What the event log shows about the states of a record. */
import type { DiffedType } from '@specboard/contract'
import { type NotNull, sql } from 'kysely'
import type { z } from 'zod'
import { type Contents, loggedChanges } from '../../kernel/logged-changes.ts'
import { parseNullable } from '../../lib/json.ts'
import type { Change } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

type Type = z.output<typeof DiffedType>

/** An entry of a record's history, or of a card's activity. */
export interface LogEntry {
  readonly id: string
  readonly seq: number
  readonly name: string
  readonly version: number | null
  /** The `rev` of the record in that state. */
  readonly rev: number
  readonly created_at: string
}

interface Of {
  type: string
  id: string
}

/** The entries of a history; a card has its activity instead. */
const name = (type: Type) => (type === 'card' ? sql<string | null>`action` : sql<string | null>`history_action`)

const entriesOf = (type: Type) =>
  hot<Of, Omit<LogEntry, 'rev'> & { rev: number | null }>((db, param) =>
    db
      .selectFrom('events')
      .select(['id', 'seq', 'version', 'rev', 'created_at', name(type).as('name')])
      .where('entity_id', '=', param('id'))
      .where('entity_type', '=', param('type'))
      .where(name(type), 'is not', null)
      .$narrowType<{ name: NotNull }>()
      .orderBy('seq'),
  )

const history = entriesOf('spec')
const activity = entriesOf('card')

/** The entries of a record, oldest first, without their contents. */
export const readEntries = async (db: Db, type: Type, id: string): Promise<LogEntry[]> =>
  withRevs(await (type === 'card' ? activity : history)(db, { type, id }))

/** The entries that change own fields of a record, in its history or, for a card, in its activity (crew 12). */
const changing: ReadonlySet<string> = new Set([
  'created',
  'updated',
  'status_changed',
  'complexity_evaluated',
  'task_linked',
  'task_unlinked',
  'card_created',
  'card_updated',
  'card_moved',
])

/** Entries with the `rev` after each; for those of earlier versions, which lack it, it is counted. */
function withRevs<Entry extends { readonly name: string; readonly rev: number | null }>(
  entries: readonly Entry[],
): (Entry & { readonly rev: number })[] {
  let last = 0
  return entries.map(entry => {
    last = entry.rev ?? Math.max(1, last + (changing.has(entry.name) ? 1 : 0))
    return { ...entry, rev: last }
  })
}

const contentsBetween = hot<Of & { after: number; upTo: number }, Contents>((db, param) =>
  db
    .selectFrom('events')
    .select(['action', 'changes', 'details'])
    .where('entity_id', '=', param('id'))
    .where('entity_type', '=', param('type'))
    .where('seq', '>', param('after'))
    .where('seq', '<=', param('upTo'))
    .orderBy('seq'),
)

/** A changed field; an older version may have logged a card's text truncated. */
export type LoggedChange = Change & { readonly cut: boolean }

/** The changes after one sequence number and up to another, in order. */
export async function readChanges(
  db: Db,
  type: Type,
  id: string,
  after: number,
  upTo: number,
): Promise<readonly LoggedChange[]> {
  const rows = await contentsBetween(db, { type, id, after, upTo })
  return rows.flatMap(type === 'card' ? cardChanges : contents => whole(loggedChanges(type, contents)))
}

const whole = (changes: readonly Change[]): LoggedChange[] => changes.map(change => ({ ...change, cut: false }))

/**
 * The changes of a card's own fields; those that an older version logged in the details may be truncated (cards 13).
 */
function cardChanges(contents: Contents): LoggedChange[] {
  const { action, changes, details } = contents
  const logged = loggedChanges('card', contents)
  if (logged.length > 0 || changes !== null || action !== 'card_updated') return whole(logged)
  const parsed: Readonly<Record<string, unknown>> = parseNullable(details) ?? {}
  const earlier = Array.isArray(parsed.changes) ? (parsed.changes as Change[]) : []
  return earlier.map(change => ({ ...change, cut: hasCut(change.old) || hasCut(change.new) }))
}

/** The number of characters to which texts in the log of cards were truncated. */
const formerLength = 200

/** Whether a text at any depth may be truncated. */
function hasCut(value: unknown): boolean {
  if (typeof value === 'string') return [...value].length === formerLength
  return typeof value === 'object' && value !== null && Object.values(value).some(hasCut)
}

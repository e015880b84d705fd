/** What the event log tells of the states of a record. */
import type { DiffedType } from '@specboard/contract'
import { type NotNull, sql } from 'kysely'
import type { z } from 'zod'
import { parseNullable } from '../../lib/json.ts'
import type { Change } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { EventsTable } from '../../schema/tables.ts'

type Type = z.output<typeof DiffedType>

/** An entry of a record's history, or of a card's activity. */
export interface LogEntry {
  readonly id: string
  readonly seq: number
  readonly name: string
  readonly version: number | null
  readonly created_at: string
}

interface Of {
  type: string
  id: string
}

/** The entries of a history; a card has its activity instead. */
const name = (type: Type) => (type === 'card' ? sql<string | null>`action` : sql<string | null>`history_action`)

const entriesOf = (type: Type) =>
  hot<Of, LogEntry>((db, param) =>
    db
      .selectFrom('events')
      .select(['id', 'seq', 'version', 'created_at', name(type).as('name')])
      .where('entity_id', '=', param('id'))
      .where('entity_type', '=', param('type'))
      .where(name(type), 'is not', null)
      .$narrowType<{ name: NotNull }>()
      .orderBy('seq'),
  )

const history = entriesOf('spec')
const activity = entriesOf('card')

/** The entries of a record, oldest first, without what they hold. */
export const readEntries = (db: Db, type: Type, id: string): Promise<LogEntry[]> =>
  (type === 'card' ? activity : history)(db, { type, id })

type Contents = Pick<EventsTable, 'action' | 'changes' | 'details'>

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

/** A changed field; what an older version logged of a card may be cut. */
export type LoggedChange = Change & { readonly cut: boolean }

/** What changed after one sequence and up to another, in order. */
export async function readChanges(
  db: Db,
  type: Type,
  id: string,
  after: number,
  upTo: number,
): Promise<readonly LoggedChange[]> {
  const rows = await contentsBetween(db, { type, id, after, upTo })
  return rows.flatMap(type === 'card' ? cardChanges : ({ changes }) => whole(parseNullable(changes)))
}

const whole = (changes: readonly Change[] | null): LoggedChange[] =>
  (changes ?? []).map(change => ({ ...change, cut: false }))

/** The activities of a card that say what became of its own fields (cards 13). */
function cardChanges({ action, changes, details }: Contents): LoggedChange[] {
  const told: Readonly<Record<string, unknown>> = parseNullable(details) ?? {}
  if (action === 'card_moved') return whole([{ field: 'status', old: told.from_status, new: told.to_status }])
  if (action === 'card_archived' || action === 'card_restored')
    return whole([{ field: 'archived', old: action === 'card_restored', new: action === 'card_archived' }])
  if (changes !== null) return whole(parseNullable(changes))
  const earlier = action === 'card_updated' && Array.isArray(told.changes) ? (told.changes as Change[]) : []
  return earlier.map(change => ({ ...change, cut: hasCut(change.old) || hasCut(change.new) }))
}

/** The characters that texts in the log of cards were cut to. */
const formerLength = 200

/** Whether a text at any depth may be cut. */
function hasCut(value: unknown): boolean {
  if (typeof value === 'string') return [...value].length === formerLength
  return typeof value === 'object' && value !== null && Object.values(value).some(hasCut)
}

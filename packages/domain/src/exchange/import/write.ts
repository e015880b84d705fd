import { groupOf } from '@specboard/storage'
import type { Insertable, Updateable } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { appendEvent, boardSequence } from '../../kernel/events.ts'
import { nextNumber } from '../../kernel/references.ts'
import type { Db } from '../../schema/database.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { CardsTable } from '../../schema/tables.ts'
import { architecturePayload, architectureVersion, kindOf } from '../kinds/kinds.ts'
import { type Naming, type Row, rowFrom } from './rows.ts'
import type { Incoming } from './source.ts'

/** What one record writes. */
export type Write = (ctx: Context) => Promise<void>

/** The board that an import writes to. */
export interface Target {
  readonly boardId: string
  /** Whether the import makes the board, which nobody sees until everything is written. */
  readonly made: boolean
}

/** The statements take any columns: those of a row are the ones that its kind declares. */
const insert = (db: Db, table: string, row: Row): Promise<void> =>
  insertRow(db, table as 'cards', row as Insertable<CardsTable>)
export const update = (db: Db, table: string, id: string, row: Row): Promise<void> =>
  updateRow(db, table as 'cards', id, row as Updateable<CardsTable>)

/** Columns that archives do not have: what stands there would be computed, or count for gates (exchange 1). */
const unwritten: Readonly<Record<string, Row>> = {
  spec: { current_validation_id: null },
  // An imported validation belongs to no stay of its card, so that none is active.
  card: { knowledge_bases: '[]', validation_stay: 1 },
  task_validation: { stay: 0 },
}

/** Writes a record that is not there yet. */
export function creation(record: Incoming, row: Row, target: Target, naming: Naming): Write {
  const { type } = record
  const board_id = target.boardId
  if (type === 'knowledge')
    return row.owner_type === 'card' ? onCard(row) : inTable('knowledge', planned(row, board_id))
  if (type === 'history') return historyEntry(row, target)
  if (type === 'architecture') return design(record, { ...row, board_id }, naming)
  const { table, columns } = kindOf.get(type)!
  const whole: Row = { ...row, board_id, ...unwritten[type] }
  if (!('number' in columns)) return inTable(table, whole)
  return async ({ db }) => {
    const number = whole.number ?? nextNumber(db, board_id)
    await insert(db, table, { ...whole, number })
  }
}

const inTable =
  (table: string, row: Row): Write =>
  ({ db }) =>
    insert(db, table, row)

/** Knowledge of a planning record. */
const planned = ({ source: _, ...row }: Row, board_id: string): Row => ({ ...row, board_id })

/** Knowledge of a card stands on the card. */
const onCard =
  (row: Row): Write =>
  async ({ db }) => {
    const card = String(row.owner_id)
    const stored = await db
      .selectFrom('cards')
      .select('knowledge_bases')
      .where('id', '=', card)
      .executeTakeFirstOrThrow()
    const items = JSON.parse(stored.knowledge_bases) as Row[]
    const others = items.filter(({ id }) => id !== row.id)
    const at = items.findIndex(({ id }) => id === row.id)
    others.splice(at === -1 ? others.length : at, 0, cardItem(row))
    await update(db, 'cards', card, { knowledge_bases: JSON.stringify(others) })
  }

/** Knowledge as a card has it. */
const cardItem = (row: Row): Row => ({
  id: row.id,
  title: row.title,
  description: row.description,
  content: row.content,
  mime_type: row.mime_type,
  source: row.source ?? 'manual',
  author_id: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** What an entry of an archive is marked with: no webhook is sent it. */
const ofImport = { imported: 1 } as const

function historyEntry({ sequence, action, ...row }: Row, { boardId, made }: Target): Write {
  return async ({ db }) => {
    const seq = made ? sequence : groupOf(db).next(boardSequence, boardId)
    await insert(db, 'events', { ...row, ...ofImport, board_id: boardId, seq, action: null, history_action: action })
  }
}

/** Writes an entry of the event log; the part that stands in a history is there already. */
export function eventEntry({ sequence, ...row }: Row, { boardId, made }: Target, inHistory: boolean): Write {
  if (inHistory) {
    const { id, action, card_id, details, domain } = row
    return ({ db }) => update(db, 'events', String(id), { action, card_id, details, domain })
  }
  return async ({ db }) => {
    const seq = made ? sequence : groupOf(db).next(boardSequence, boardId)
    await insert(db, 'events', { ...row, ...ofImport, board_id: boardId, seq })
  }
}

function design({ fields, place }: Incoming, row: Row, naming: Naming): Write {
  const { board_id, id: design_id } = row
  const parts = (of: unknown, columns: Parameters<typeof rowFrom>[0]) =>
    (of as Record<string, unknown>[]).map(part => ({
      ...rowFrom(columns, { fields: part, place }, naming),
      board_id,
      design_id,
    }))
  const versions = parts(fields.versions, architectureVersion)
  const payloads = parts(fields.payloads, architecturePayload)
  return async ({ db }) => {
    await insert(db, 'architecture_designs', row)
    for (const version of versions) await insert(db, 'architecture_versions', version)
    for (const payload of payloads) await insert(db, 'architecture_payloads', payload)
  }
}

/** Writes changed columns of a record that stands here. */
export function revision(record: Incoming, before: Row, changed: Row): Write {
  const { type } = record
  if (type === 'knowledge' && before.owner_type === 'card') return onCard({ ...before, ...changed })
  const { table } = kindOf.get(type)!
  const { source: _, ...columns } = changed
  return ({ db }) => update(db, table, String(before.id), columns)
}

/** What tells the event log that a record came from another tool (exchange 1). */
export function importedEntry(
  { type, id, fields }: Incoming,
  here: string,
  owner: { readonly type: string; readonly id: string },
  source: string,
  { boardId, made }: Target,
): Write {
  const entry = {
    boardId,
    entity: owner,
    activity: {
      action: 'imported',
      details: { source, external_id: id, kind: type, record_id: here, title: fields.title ?? null },
    },
    cardId: owner.type === 'card' ? owner.id : null,
    imported: true,
  } as const
  return async ctx => {
    if (!made) return ctx.record(entry)
    const { id: actorId, name: actorName } = ctx.caller
    await appendEvent(ctx.db, entry, { id: ctx.newId(), actorId, actorName, createdAt: ctx.now() })
  }
}

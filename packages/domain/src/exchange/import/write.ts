import { groupOf } from '@specboard/storage'
import type { Insertable, Updateable } from 'kysely'
import type { Status } from '../../delivery/card-record/record.ts'
import { endOfColumn } from '../../delivery/cards/positions.ts'
import type { Unit } from '../../kernel/context.ts'
import { type Authorship, appendEvent, boardSequence, type Entry } from '../../kernel/events.ts'
import { nextPart, type PartOwner, raisePart } from '../../kernel/parts.ts'
import { nextNumber } from '../../kernel/references.ts'
import { toJson } from '../../lib/json.ts'
import { keepFormerPayloads, removePayloads, storePayload } from '../../planning/architecture/store.ts'
import type { Change, ImportWrite, StoredKnowledge } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { numberedEntries } from '../../schema/refs.ts'
import { insertRow, insertRows, updateRow } from '../../schema/rows.ts'
import { tableNamed } from '../../schema/tables/all.ts'
import type {
  ArchitectureFormerPayloadsTable,
  ArchitecturePayloadsTable,
  CardsTable,
  ExternalIdsTable,
  PartLetter,
} from '../../schema/tables.ts'
import { kindOf } from '../kinds/kinds.ts'
import { partRowsOf } from './designs.ts'
import type { Row, RowContext } from './rows.ts'
import type { SourceRecord } from './source.ts'

/** The board that an import writes to. */
export interface Target {
  readonly boardId: string
  /** Whether the import creates the board, which nobody sees until everything is written. */
  readonly isNew: boolean
}

/** The statements accept any columns: a row only has those that its kind declares. */
const insert = (db: Db, table: string, row: Row): Promise<void> =>
  insertRow(db, table as 'cards', row as Insertable<CardsTable>)
/** Inserts rows with the same columns by one statement. */
export const insertMany = (db: Db, table: string, rows: readonly Row[]): Promise<void> =>
  insertRows(db, table as 'cards', rows as Insertable<CardsTable>[])
const update = (db: Db, table: string, id: string, row: Row): Promise<void> =>
  updateRow(db, table as 'cards', id, row as Updateable<CardsTable>)

/** A row of a table, as imported. */
export const inserted = (table: string, row: Row): ImportWrite => ({ kind: 'insert', table, row })

/** The writes of a record, as one write: if part of it can never be made, the rest is left out too. */
export const together = (writes: readonly ImportWrite[]): ImportWrite[] =>
  writes.length > 1 ? [{ kind: 'together', writes }] : [...writes]

/** The single writes of a write. */
export const eachOf = (write: ImportWrite): readonly ImportWrite[] =>
  write.kind === 'together' ? write.writes : [write]

/** Columns that archives do not contain: their values would be computed, or count for gates (exchange 1). */
const unwritten: Readonly<Record<string, Row>> = {
  spec: { current_validation_id: null },
  // An imported validation belongs to no round of its card, so that none is active.
  card: { knowledge_bases: '[]', validation_stay: 1 },
  task_validation: { stay: 0 },
  // It has no secret that verifies anything until it is rotated.
  repository: {
    secret: '',
    former_secrets: '[]',
    forge_id: null,
    refusals: '[]',
    synced_at: null,
    last_delivery_at: null,
  },
  // It has no source here; `is_linked` is set when its links are written.
  change: { confirmed_by: null, is_linked: 0 },
  // Its effects happened in the original service; only the tests that scenarios name are imported.
  test_report: { seen_by: null, mapping: null, cases_kept: 0 },
  proof_run: {
    meant: toJson({ records: [], scenarios: [] }),
    seen_by: null,
    mapping: null,
    hook_key: null,
  },
  waiver: { is_imported: 1 },
}

/** The writes for a record that does not exist yet. */
export function creation(record: SourceRecord, row: Row, { boardId }: Target, naming: RowContext): ImportWrite[] {
  const { type } = record
  const board_id = boardId
  if (type === 'knowledge')
    return [row.owner_type === 'card' ? { kind: 'card knowledge', row } : inserted('knowledge', planned(row, board_id))]
  if (type === 'history') return [historyEntry(row)]
  if (type === 'architecture') return design(record, { ...row, board_id }, naming)
  if (type === 'change_link') return linked({ ...row, board_id })
  if (type === 'test_report' || type === 'proof_run') return evidence(type, { ...row, board_id })
  if (type === 'done_tier') return [doneElsewhere({ ...row, board_id })]
  return [inserted(kindOf.get(type)!.table, { ...row, board_id, ...unwritten[type] })]
}

/** A report or run with the records that it applies to, and the tests of a report. */
function evidence(type: 'test_report' | 'proof_run', { records, named_cases = '[]', ...row }: Row): ImportWrite[] {
  const { board_id, id } = row
  const isReport = type === 'test_report'
  // A run that has ended has no time left.
  const rest = isReport ? {} : { expires_at: row.finished_at ?? row.started_at }
  const owner = isReport ? { report_id: id, board_id } : { run_id: id, board_id }
  const cases = JSON.parse(String(named_cases)) as (Row & { status: string })[]
  return [
    inserted(kindOf.get(type)!.table, { ...row, ...unwritten[type], ...rest }),
    ...(JSON.parse(String(records)) as Row[]).map(record =>
      inserted(isReport ? 'report_records' : 'run_records', { ...record, ...owner }),
    ),
    ...cases.map(each =>
      inserted('test_cases', { ...each, ...owner, rank: each.status === 'failed' ? 0 : 1, is_named: 1 }),
    ),
  ]
}

/** The tier with which a record was done in the original service: here it is a claim (evidence 14). */
const doneElsewhere = ({ entity_id, board_id, tier, service }: Row): ImportWrite =>
  inserted('done_tiers', { entity_id, board_id, tier: 'claimed', origin: toJson({ tier, service }) })

/** A link of a change; it marks the change as linked, unless somebody has undone the link. */
const linked = (row: Row): ImportWrite[] => [
  inserted('change_links', row),
  ...(row.is_undone === 1
    ? []
    : [{ kind: 'update', table: 'changes', id: String(row.change_id), row: { is_linked: 1 } } as const]),
]

/** Knowledge of a planning record. */
const planned = ({ source: _, ...row }: Row, board_id: string): Row => ({ ...row, board_id })

const historyEntry = ({ action, ...row }: Row): ImportWrite => ({
  kind: 'log entry',
  row: { ...row, action: null, history_action: action },
})

/** The write for an event log entry; the part in a history already exists. */
export function eventEntry(row: Row, inHistory: boolean): ImportWrite {
  if (!inHistory) return { kind: 'log entry', row }
  const { id, action, card_id, details, domain } = row
  return { kind: 'update', table: 'events', id: String(id), row: { action, card_id, details, domain } }
}

function design(record: SourceRecord, row: Row, naming: RowContext): ImportWrite[] {
  const { board_id, id: design_id } = row
  const { versions, payloads, formerPayloads } = partRowsOf(record, naming)
  const parts = (table: string, rows: readonly Row[], owner: Row) =>
    rows.map(part => inserted(table, { ...part, ...owner }))
  return [
    inserted('architecture_designs', row),
    ...parts('architecture_versions', versions, { board_id, design_id }),
    ...parts('architecture_payloads', payloads, { board_id, design_id }),
    ...parts('architecture_former_payloads', formerPayloads, { design_id }),
  ]
}

/** The writes for changed columns of an existing record. */
export function revision({ type }: SourceRecord, before: Row, { updated_at, ...changed }: Row): ImportWrite {
  const { table, columns } = kindOf.get(type)!
  const row: Row = 'updated_at' in columns ? { ...changed, updated_at } : changed
  if (type === 'knowledge' && before.owner_type === 'card')
    return { kind: 'card knowledge', row: { ...before, ...row } }
  const { source: _, ...stored } = row
  return { kind: 'update', table, id: String(before.id), row: type === 'knowledge' ? stored : row }
}

/**
 * The log entry saying that a record came from another tool, or that an import changed it (exchange 1).
 * @param about `changes` of an existing record, each field with its old and new value (walls 5)
 */
export const importedEntry = (
  { type, id, fields }: SourceRecord,
  here: string,
  owner: { readonly type: string; readonly id: string },
  about: {
    readonly source: string
    readonly by: { readonly id: string; readonly name: string }
    readonly changes?: readonly Change[]
  },
): ImportWrite => ({
  kind: 'imported',
  owner,
  ...(about.changes !== undefined && { changes: about.changes }),
  details: { source: about.source, external_id: id, kind: type, record_id: here, title: fields.title ?? null },
  by: about.by,
})

/** What a write changes, as text for people. */
export function writeText(write: ImportWrite): string {
  if (write.kind === 'insert') return `${write.table} ${String(write.row.id ?? write.row.external_id)}`
  if (write.kind === 'update') return `${write.table} ${write.id}`
  if (write.kind === 'design') return `architecture_designs ${write.id}`
  if (write.kind === 'together') return writeText(write.writes[0]!)
  if (write.kind === 'imported') return `the entry "imported" of the ${write.owner.type} ${write.owner.id}`
  if (write.kind === 'known') return `the external id ${write.externalId}`
  return `${write.kind} ${String(write.row.id)}`
}

/** The mark of an entry from an archive: no webhook is sent for it. */
const ofImport = { imported: 1 } as const

/** Whether an entry says who was present. */
const hasPresence = ({ details }: Row): boolean => typeof details === 'string' && details.includes('"present"')

/** Whatever a file says, it does not count as presence (people 1.5). */
function withoutPresence(details: unknown): string {
  const parsed = JSON.parse(String(details)) as Record<string, unknown>
  return JSON.stringify(Object.hasOwn(parsed, 'present') ? { ...parsed, present: false } : parsed)
}

/** The row of an entry of an archive's event log. */
export function loggedRow({ row }: ImportWrite & { readonly kind: 'log entry' }, boardId: string, seq: unknown): Row {
  const { sequence: _, ...columns } = row
  return {
    ...columns,
    ...(hasPresence(row) && { details: withoutPresence(row.details) }),
    ...ofImport,
    board_id: boardId,
    seq,
  }
}

/** The log entry about a record of another tool, with its author. */
export function importedEvent(
  { owner, details, by, changes }: ImportWrite & { readonly kind: 'imported' },
  boardId: string,
  { now, newId }: Unit,
): [Entry, Authorship] {
  const activity = { action: 'imported', details }
  const cardId = owner.type === 'card' ? owner.id : null
  const entry = { boardId, entity: owner, activity, cardId, imported: true, ...(changes && { changes }) } as const
  const actor = { actorId: by.id, actorName: by.name, actorType: 'agent', actorVia: null } as const
  return [entry, { id: newId(), ...actor, createdAt: now }]
}

type CardKnowledge = ImportWrite & { readonly kind: 'card knowledge' }

export const isCardKnowledge = (write: ImportWrite): write is CardKnowledge => write.kind === 'card knowledge'

/**
 * Makes changes of an import, in a unit of work. A card contains its knowledge as one list: additions to it are
 * combined, because each costs as much as the whole list (walls 3, rule 4).
 */
export async function performAll(writes: readonly ImportWrite[], db: Db, target: Target, unit: Unit): Promise<void> {
  const ofCards = Map.groupBy(writes.filter(isCardKnowledge), ({ row }) => String(row.owner_id))
  for (const write of writes) {
    if (!isCardKnowledge(write)) {
      await perform(write, db, target, unit)
      continue
    }
    const card = String(write.row.owner_id)
    const rows = ofCards.get(card)?.map(({ row }) => row)
    if (rows !== undefined) await onCard(db, card, target.boardId, rows)
    ofCards.delete(card)
  }
}

/** Makes a change of an import, in a unit of work. */
export async function perform(write: ImportWrite, db: Db, target: Target, { now, newId }: Unit): Promise<void> {
  const { boardId, isNew } = target
  switch (write.kind) {
    case 'insert':
      return insert(db, write.table, await placed(write, db, target))
    case 'update':
      return update(db, write.table, write.id, write.row)
    case 'together':
      return performAll(write.writes, db, target, { now, newId })
    case 'design':
      return changeDesign(db, boardId, write)
    case 'card knowledge':
      return onCard(db, String(write.row.owner_id), boardId, [write.row])
    case 'log entry': {
      const seq = isNew ? write.row.sequence : await groupOf(db).next(boardSequence, boardId)
      return insert(db, 'events', loggedRow(write, boardId, seq))
    }
    case 'imported': {
      await appendEvent(db, ...importedEvent(write, boardId, { now, newId }))
      return
    }
    case 'known':
      await db
        .updateTable('external_ids')
        .set({ imported: write.imported as ExternalIdsTable['imported'] })
        .where('board_id', '=', boardId)
        .where('source', '=', write.source)
        .where('external_id', '=', write.externalId)
        .execute()
  }
}

/** The number of a row: parts are numbered within their record, records within their board. */
export async function numberHere(db: Db, boardId: string, table: string, row: Row): Promise<Row> {
  const { number } = row
  const part = tableNamed(table)?.part
  if (part === undefined) return number === null ? { number: await nextNumber(db, boardId) } : {}
  return { number: await partNumber(db, { id: String(row[part.by]), board: boardId }, part.letter, number) }
}

/**
 * The number of a part: the imported number if there is one (the record then continues counting after it), otherwise
 * the next.
 */
async function partNumber(db: Db, owner: PartOwner, letter: PartLetter, number: unknown): Promise<number> {
  if (typeof number !== 'number') return nextPart(db, owner, letter)
  await raisePart(db, owner, letter, number)
  return number
}

/** A row with a number and a position in its column, assigned here if the file has none. */
async function placed({ table, row }: ImportWrite & { kind: 'insert' }, db: Db, { boardId }: Target): Promise<Row> {
  const { position, status, id } = row
  return {
    ...row,
    ...(await numberHere(db, boardId, table, row)),
    ...(table === 'cards' &&
      position === null && {
        position: await endOfColumn(db, boardId, status as Status, String(id)),
      }),
  }
}

/** Changes a design with its parts, like an update. */
async function changeDesign(db: Db, board_id: string, write: ImportWrite & { readonly kind: 'design' }): Promise<void> {
  const { id, row, replaced, dropped, payloads, versions, formerPayloads } = write
  await keepFormerPayloads(db, { id, board_id }, replaced)
  await update(db, 'architecture_designs', id, row)
  await removePayloads(db, board_id, dropped)
  for (const payload of payloads) await storePayload(db, payload as Insertable<ArchitecturePayloadsTable>)
  for (const version of versions) await insert(db, 'architecture_versions', version)
  for (const former of formerPayloads)
    await db
      .insertInto('architecture_former_payloads')
      .values(former as Insertable<ArchitectureFormerPayloadsTable>)
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

/** Puts knowledge into the list of a card: each at its previous position, or at the end. */
async function onCard(db: Db, card: string, board: string, rows: readonly Row[]): Promise<void> {
  const stored = await db
    .selectFrom('cards')
    .select(['knowledge_bases', 'updated_at'])
    .where('id', '=', card)
    .executeTakeFirstOrThrow()
  const entries = numberedEntries(JSON.parse(stored.knowledge_bases) as StoredKnowledge[])
  const items = new Map<unknown, Row>(entries.map(item => [item.id, { ...item }]))
  for (const row of rows) {
    const here = items.get(row.id)?.number
    const number = here ?? (await partNumber(db, { id: card, board }, 'k', row.number))
    items.set(row.id, { ...cardItem(row), number })
  }
  // A card is queued for search when its updated_at is written. The time stays that of the file.
  await update(db, 'cards', card, {
    knowledge_bases: JSON.stringify([...items.values()]),
    updated_at: stored.updated_at,
  })
}

/** Knowledge as stored in a card. */
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

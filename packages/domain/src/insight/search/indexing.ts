/** Updates the search index from the rows that were written. */
import { createHash } from 'node:crypto'
import { dialect, perDialect } from '@specboard/storage'
import { type Selectable, sql } from 'kysely'
import { toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { turning } from '../../schema/in-pieces.ts'
import { insertRow, insertRows } from '../../schema/rows.ts'
import type {
  SearchChangesTable,
  SearchedKind,
  SearchRecord,
  SearchRecordsTable,
  SearchSource,
} from '../../schema/tables.ts'
import { readSearched, type SearchedRecord } from './sources.ts'
import { dropTerms, mergeTerms, putManyTerms, putTerms } from './term-index.ts'
import { titleKey, tokensOf } from './words.ts'

/**
 * The number of rows that a unit of work indexes, or fewer if they take this long, ms, so that no other call waits for
 * it.
 */
const rowsAtOnce = 100
const maxUnitMs = 10

/** The place of global guidelines, which belong to no board. */
const globalPlace = 0

/** The changed rows, without those that are being changed again right now: their new state cannot be read yet. */
const changedRows = hot<{ limit: number }, Selectable<SearchChangesTable>>((db, param) =>
  db
    .selectFrom('search_changes')
    .selectAll()
    .orderBy('change')
    .limit(param('limit'))
    .modifyEnd(perDialect(sql``, sql`for update skip locked`)),
)

const forgetChange = hot<{ change: number }, never>((db, param) =>
  db.deleteFrom('search_changes').where('change', '=', param('change')),
)

const indexedOf = hot<{ type: SearchSource; id: string }, SearchRecord>((db, param) =>
  db
    .selectFrom('search_records')
    .selectAll()
    .where('source_type', '=', param('type'))
    .where('source_id', '=', param('id')),
)

/** Indexes some of the rows that were written; returns whether there are more. */
export async function indexSome(db: Db): Promise<boolean> {
  const changes = await changedRows(db, { limit: rowsAtOnce })
  const began = performance.now()
  for (const { change, source_type, source_id } of changes) {
    if (performance.now() - began > maxUnitMs) {
      await mergeTerms(db)
      return true
    }
    const searched = (await readSearched(db, source_type, [source_id])).get(source_id) ?? []
    await indexRow(db, source_type, source_id, searched)
    await forgetChange(db, { change })
  }
  if (changes.length > 0) await mergeTerms(db)
  return changes.length === rowsAtOnce
}

/** Updates the records of one row: a card may contain a lot of knowledge. */
async function indexRow(db: Db, type: SearchSource, id: string, searched: readonly SearchedRecord[]): Promise<void> {
  const before = new Map((await indexedOf(db, { type, id })).map(row => [`${row.kind} ${row.record_id}`, row]))
  const step = turning(db, 1)
  for (const [place, record] of searched.entries()) {
    if (place > 0) await step()
    const name = `${record.kind} ${record.id}`
    await indexRecord(db, { type, id }, record, before.get(name))
    before.delete(name)
  }
  for (const { ordinal } of before.values()) {
    await dropTerms(db, ordinal)
    await db.deleteFrom('search_records').where('ordinal', '=', ordinal).execute()
  }
}

async function indexRecord(
  db: Db,
  source: { readonly type: SearchSource; readonly id: string },
  record: SearchedRecord,
  before: SearchRecord | undefined,
): Promise<void> {
  const row = await rowOf(source, record, (board, kind) => placeOf(db, board, kind))
  if (before === undefined) await insertRow(db, 'search_records', row)
  else await updateRecord(db, { ...row, ordinal: before.ordinal })
  const ordinal = before?.ordinal ?? (await lastOrdinal(db, {}))[0]!.ordinal
  if (before?.digest !== row.digest) await putTerms(db, ordinal, tokensOf(record.title), tokensOf(record.text))
  if (before !== undefined && before.archived !== row.archived)
    await archiveParts(db, { id: record.id, archived: row.archived })
}

type IndexedRow = Omit<SearchRecordsTable, 'ordinal'>

/** Indexes the records of many rows of a kind that are not in the index yet. */
export async function indexRows(
  db: Db,
  type: SearchSource,
  searched: ReadonlyMap<string, readonly SearchedRecord[]>,
  placeOf: PlaceOf,
): Promise<void> {
  const rows: IndexedRow[] = []
  const words = new Map<string, { readonly title: string; readonly text: string }>()
  for (const [id, records] of searched)
    for (const record of records) {
      rows.push(await rowOf({ type, id }, record, placeOf))
      words.set(`${record.kind} ${record.id}`, { title: tokensOf(record.title), text: tokensOf(record.text) })
    }
  await insertRows(db, 'search_records', rows)
  const indexed = await ordinalsOf(db, { type, ids: JSON.stringify([...searched.keys()]) })
  await putManyTerms(
    db,
    indexed.map(({ ordinal, kind, record_id }) => ({ ordinal, ...words.get(`${kind} ${record_id}`)! })),
  )
}

const ordinalsOf = hot<{ type: SearchSource; ids: string }, Pick<SearchRecord, 'ordinal' | 'kind' | 'record_id'>>(
  (db, param) =>
    db
      .selectFrom('search_records')
      .select(['ordinal', 'kind', 'record_id'])
      .where(eb => dialect.inList(eb.ref('source_id'), param('ids')))
      .where('source_type', '=', param('type')),
)

/** Finds the place for a kind of record on a board. */
type PlaceOf = (board: string, kind: SearchedKind) => Promise<number>

async function rowOf(
  source: { readonly type: SearchSource; readonly id: string },
  record: SearchedRecord,
  placeOf: PlaceOf,
): Promise<IndexedRow> {
  return {
    kind: record.kind,
    record_id: record.id,
    source_type: source.type,
    source_id: source.id,
    place: record.boardId === null ? globalPlace : await placeOf(record.boardId, record.kind),
    status: record.status,
    archived: record.archived ? 1 : 0,
    title_key: titleKey(record.title),
    labels: record.labels.length === 0 ? null : toJson([...record.labels]),
    assignee_id: record.assigneeId,
    parent_type: record.parent?.type ?? null,
    parent_id: record.parent?.id ?? null,
    updated_at: record.updatedAt,
    digest: digestOf(record),
  }
}

/** The hash of the texts of a record. */
export const digestOf = ({ title, text }: SearchedRecord): string =>
  createHash('sha256').update(`${title}\n${text}`).digest('base64url').slice(0, 22)

const updateRecord = hot<IndexedRow & { ordinal: number }, never>((db, param) =>
  db
    .updateTable('search_records')
    .set({
      place: param('place'),
      status: param('status'),
      archived: param('archived'),
      title_key: param('title_key'),
      labels: param('labels'),
      assignee_id: param('assignee_id'),
      parent_type: param('parent_type'),
      parent_id: param('parent_id'),
      updated_at: param('updated_at'),
      digest: param('digest'),
    })
    .where('ordinal', '=', param('ordinal')),
)

const lastOrdinal = hot<Record<never, never>, { ordinal: number }>(db =>
  db.selectFrom('search_records').select(({ fn }) => fn.max('ordinal').as('ordinal')),
)

/** The parts of a record are archived with it. */
const archiveParts = hot<{ id: string; archived: 0 | 1 }, never>((db, param) =>
  db
    .updateTable('search_records')
    .set({ archived: param('archived') })
    .where('parent_id', '=', param('id'))
    .where('kind', 'in', ['architecture', 'knowledge', 'comment', 'question', 'change']),
)

const placeBy = hot<{ board: string; kind: SearchedKind }, { place: number }>((db, param) =>
  db
    .selectFrom('search_places')
    .select('place')
    .where('board_id', '=', param('board'))
    .where('kind', '=', param('kind')),
)

/** The places for kinds of record, each looked up once. */
export function placesOf(db: Db): PlaceOf {
  const places = new Map<string, Promise<number>>()
  return (board, kind) => {
    const place = places.get(`${board} ${kind}`) ?? placeOf(db, board, kind)
    places.set(`${board} ${kind}`, place)
    return place
  }
}

/** The place for a kind of record on a board; created with its first record. */
async function placeOf(db: Db, board: string, kind: SearchedKind): Promise<number> {
  const find = async () => (await placeBy(db, { board, kind }))[0]?.place
  const found = await find()
  if (found !== undefined) return found
  await db.insertInto('search_places').values({ board_id: board, kind }).execute()
  return (await find())!
}

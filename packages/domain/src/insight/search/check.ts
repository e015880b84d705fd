/** Checks and repairs the search index. */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { searchedTables } from '../../schema/search-tables.ts'
import type { SearchSource } from '../../schema/tables.ts'
import { digestOf, indexRows, placesOf } from './indexing.ts'
import { readSearched, type SearchedRecord } from './sources.ts'
import { countTerms, dropAllTerms, mergeAllTerms } from './term-index.ts'
import { titleKey } from './words.ts'

/** How many rows are compared at once. */
const pageSize = 500

/** How many records of the index are wrong, and how many rows it has yet to process. */
export interface SearchState {
  readonly wrong: number
  readonly waiting: number
}

/** Compares the index with the records; those whose rows are queued for indexing cannot be wrong. */
export async function checkSearch(db: Db): Promise<SearchState> {
  const { surplus, missing } = await countTerms(db)
  let wrong = surplus + missing
  for (const { source, table } of searchedTables) {
    wrong += await withoutRow(db, source, table)
    for (let after = ''; ; ) {
      const ids = await settledIds(db, source, table, after)
      wrong += await wrongAmong(db, source, ids)
      if (ids.length < pageSize) break
      after = ids.at(-1)!
    }
  }
  const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from search_changes`.execute(db)
  return { wrong, waiting: rows[0]!.waiting }
}

/** The rows of a table that are not queued as changed, in pages by id. */
async function settledIds(db: Db, source: SearchSource, table: string, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} r where id > ${after} and not exists (
      select 1 from search_changes c where c.source_id = r.id and c.source_type = ${source})
    order by id limit ${pageSize}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many records in the index belong to deleted rows. */
async function withoutRow(db: Db, source: SearchSource, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from search_records s
    where s.source_type = ${source} and not exists (select 1 from ${sql.table(table)} r where r.id = s.source_id)
      and not exists (select 1 from search_changes c where c.source_id = s.source_id and c.source_type = ${source})`.execute(
    db,
  )
  return rows[0]!.count
}

const indexedOf = hot<{ type: SearchSource; ids: string }, { source_id: string; [column: string]: unknown }>(
  (db, param) =>
    db
      .selectFrom('search_records')
      .select([
        'source_id',
        'kind',
        'record_id',
        'status',
        'archived',
        'title_key',
        'parent_id',
        'assignee_id',
        'updated_at',
        'digest',
      ])
      .where(eb => dialect.inList(eb.ref('source_id'), param('ids')))
      .where('source_type', '=', param('type')),
)

/** How many records of some rows are missing from the index, superfluous in it, or stored with other values. */
async function wrongAmong(db: Db, source: SearchSource, ids: readonly string[]): Promise<number> {
  const indexed = new Map<string, string[]>()
  for (const { source_id, ...values } of await indexedOf(db, { type: source, ids: JSON.stringify(ids) }))
    indexed.set(source_id, [...(indexed.get(source_id) ?? []), JSON.stringify(Object.values(values))])
  let wrong = 0
  for (const [id, records] of await readSearched(db, source, ids)) {
    const texts = indexed.get(id) ?? []
    const right = records.filter(record => texts.includes(JSON.stringify(valuesOf(record)))).length
    wrong += Math.max(records.length, texts.length) - right
  }
  return wrong
}

const valuesOf = (record: SearchedRecord) => [
  record.kind,
  record.id,
  record.status,
  record.archived ? 1 : 0,
  titleKey(record.title),
  record.parent?.id ?? null,
  record.assigneeId,
  record.updatedAt,
  digestOf(record),
]

/** Rebuilds the whole index, many rows at a time. */
export async function rebuildSearch(db: Db): Promise<void> {
  await dropAllTerms(db)
  for (const table of ['search_records', 'search_changes'] as const) await db.deleteFrom(table).execute()
  const placeOf = placesOf(db)
  for (const { source, table } of searchedTables)
    for (let after = ''; ; ) {
      const ids = await settledIds(db, source, table, after)
      await indexRows(db, source, await readSearched(db, source, ids), placeOf)
      if (ids.length < pageSize) break
      after = ids.at(-1)!
    }
  await mergeAllTerms(db)
}

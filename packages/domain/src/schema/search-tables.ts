/**
 * The search index (board 4), and how it is maintained: triggers queue each changed record in the write's transaction.
 */
import type { SearchSource } from './table.ts'
import { tables } from './tables/all.ts'
import type { Trigger } from './triggers.ts'

/** A table with searchable records. */
export interface SearchedTable {
  readonly source: SearchSource
  readonly table: string
}

/** Every table with searchable records. */
export const searchedTables: readonly SearchedTable[] = tables.flatMap(({ name, searched }) =>
  searched === undefined ? [] : [{ source: searched, table: name }],
)

/**
 * The triggers that queue the changed rows of a table, whatever changes them.
 * @param columns the only columns whose change affects what is searched
 * @param ifNoted what to do if the row is already queued
 */
export function queueingTriggers(
  { source, table }: SearchedTable,
  columns: string,
  ifNoted = 'on conflict do nothing',
): readonly Trigger[] {
  const note = (row: 'new' | 'old') =>
    `insert into search_changes (source_type, source_id) values ('${source}', ${row}.id) ${ifNoted};`
  return [
    { name: `${table}_noted`, table, after: 'insert', statements: note('new') },
    { name: `${table}_noted_again`, table, after: `update of ${columns}`, statements: note('new') },
    { name: `${table}_noted_last`, table, after: 'delete', statements: note('old') },
  ]
}

/** The index of search (board 4), and what keeps it: triggers note each changed record in the write's transaction. */
import type { Json } from '@specboard/storage'
import type { Generated, Selectable } from 'kysely'
import type { Flag } from './columns.ts'
import type { Trigger } from './triggers.ts'

/** The kinds of row that records are found in: a card holds its own knowledge and its conclusions too. */
export type SearchSource =
  | 'ideation'
  | 'refinement'
  | 'spec'
  | 'sprint'
  | 'card'
  | 'architecture'
  | 'knowledge'
  | 'guideline'
  | 'comment'
  | 'question'
  | 'change'

/** The kinds of record that are found. */
export type SearchedKind = SearchSource | 'conclusion'

/** A record in the index, with what a search filters and orders by. Its words are the row of `search_terms`. */
export interface SearchRecordsTable {
  ordinal: Generated<number>
  kind: SearchedKind
  record_id: string
  /** The row that the record is found in. */
  source_type: SearchSource
  source_id: string
  /** The place of the record: its kind on its board (`search_places`); 0 for global guidelines. */
  place: number
  status: string | null
  archived: Flag
  /** The title as it is compared with what is searched for. */
  title_key: string
  labels: Json<string[]> | null
  assignee_id: string | null
  parent_type: SearchSource | null
  parent_id: string | null
  updated_at: string
  /** The hash of the words: they are written again only when it differs. */
  digest: string
}

/** A stored row of it. */
export type SearchRecord = Selectable<SearchRecordsTable>

/** A kind of record on a board: rights and most filters come down to a list of places. */
export interface SearchPlacesTable {
  place: Generated<number>
  board_id: string
  kind: SearchedKind
}

/** Rows that were written since they were last indexed, in the order in which they were. */
export interface SearchChangesTable {
  change: Generated<number>
  source_type: SearchSource
  source_id: string
}

export interface SearchTables {
  search_records: SearchRecordsTable
  search_places: SearchPlacesTable
  search_changes: SearchChangesTable
}

/** A table with records that are searched. */
export interface SearchedTable {
  readonly source: SearchSource
  readonly table: string
}

/** Every table with records that are searched. */
export const searchedTables = [
  { source: 'ideation', table: 'ideations' },
  { source: 'refinement', table: 'refinements' },
  { source: 'spec', table: 'specs' },
  { source: 'sprint', table: 'sprints' },
  { source: 'card', table: 'cards' },
  { source: 'architecture', table: 'architecture_designs' },
  { source: 'knowledge', table: 'knowledge' },
  { source: 'guideline', table: 'guidelines' },
  { source: 'comment', table: 'comments' },
  { source: 'question', table: 'questions' },
  { source: 'change', table: 'changes' },
] as const satisfies readonly SearchedTable[]

/**
 * The triggers that note the changed rows of a table, whatever changes them.
 * @param columns those without which a change of the row changes nothing that is searched
 * @param ifNoted what is done where the row is noted already
 */
export function notingTriggers(
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

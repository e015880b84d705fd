/**
 * The search index (board 4), and how it is maintained: triggers queue each changed record in the write's transaction.
 */
import type { Json } from '@specboard/storage'
import type { Generated, Selectable } from 'kysely'
import type { Flag } from './columns.ts'
import type { Trigger } from './triggers.ts'

/** The kinds of row that contain searchable records: a card also contains its knowledge and its conclusions. */
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

/** The kinds of record that a search finds. */
export type SearchedKind = SearchSource | 'conclusion'

/** A record in the index, with what a search filters and sorts by. Its words are the row of `search_terms`. */
export interface SearchRecordsTable {
  ordinal: Generated<number>
  kind: SearchedKind
  record_id: string
  /** The kind of row that contains the record. */
  source_type: SearchSource
  source_id: string
  /** The kind of the record on its board (`search_places`); 0 for global guidelines. */
  place: number
  status: string | null
  archived: Flag
  /** The title in the form in which it is compared with a search. */
  title_key: string
  labels: Json<string[]> | null
  assignee_id: string | null
  parent_type: SearchSource | null
  parent_id: string | null
  updated_at: string
  /** The hash of the words: they are rewritten only when it changes. */
  digest: string
}

/** A stored row of it. */
export type SearchRecord = Selectable<SearchRecordsTable>

/** A kind of record on a board: permissions and most filters reduce to a list of places. */
export interface SearchPlacesTable {
  place: Generated<number>
  board_id: string
  kind: SearchedKind
}

/** Rows written since they were last indexed, in the order of the writes. */
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

/** A table with searchable records. */
export interface SearchedTable {
  readonly source: SearchSource
  readonly table: string
}

/** Every table with searchable records. */
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
 * The triggers that queue the changed rows of a table, whatever changes them.
 * @param columns the only columns whose change affects what is searched
 * @param ifNoted what to do if the row is already queued
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

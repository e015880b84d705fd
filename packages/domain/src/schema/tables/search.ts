/** Saved searches and views, templates, and the search index (board 4). */

import type { Selectable } from 'kysely'
import { author, flag, generated, json, jsonObject, nullable, ofBoard, oneOf, text, whole } from '../columns.ts'
import { type RowOf, type SearchSource, table } from '../table.ts'

/** The kinds of record that a search finds. */
export type SearchedKind = SearchSource | 'conclusion'

export const savedSearches = table({
  name: 'saved_searches',
  archived: 'saved_search',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    name: text,
    query: nullable(text),
    intent_id: nullable(text),
    filters_json: nullable(jsonObject({ namesInside: true })),
    created_by: author,
    created_at: text,
  },
})
export type SavedSearchesTable = RowOf<typeof savedSearches>

/** A page of a board with its filters, saved under a name (web 3). */
export const savedViews = table({
  name: 'saved_views',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    owner_id: text,
    /** Whether everybody on the board sees it. */
    shared: flag,
    name: text,
    /** The name of the page in addresses. */
    page: text,
    /** The part of the address after the `?`. */
    query: text,
    created_at: text,
    updated_at: text,
  },
})
export type SavedViewsTable = RowOf<typeof savedViews>

/** Prefilled fields of a card or spec, saved under a name (web 4). */
export const templates = table({
  name: 'templates',
  archived: 'template',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    entity_type: oneOf<'card' | 'spec'>(),
    name: text,
    content: jsonObject({ namesInside: true }),
    created_by: author,
    created_at: text,
    updated_at: text,
  },
})
export type TemplatesTable = RowOf<typeof templates>

export const searchHistory = table({
  name: 'search_history',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    user_id: text,
    query: nullable(text),
    intent_id: text,
    result_count: whole,
    searched_at: text,
  },
})
export type SearchHistoryTable = RowOf<typeof searchHistory>

/** A record in the index, with what a search filters and sorts by. Its words are the row of `search_terms`. */
export const searchRecords = table({
  name: 'search_records',
  key: ['ordinal'],
  stays: true,
  columns: {
    ordinal: generated(whole),
    kind: oneOf<SearchedKind>(),
    record_id: text,
    /** The kind of row that contains the record. */
    source_type: oneOf<SearchSource>(),
    source_id: text,
    /** The kind of the record on its board (`search_places`); 0 for global guidelines. */
    place: whole,
    status: nullable(text),
    archived: flag,
    /** The title in the form in which it is compared with a search. */
    title_key: text,
    labels: nullable(json<string[]>()),
    assignee_id: nullable(text),
    parent_type: nullable(oneOf<SearchSource>()),
    parent_id: nullable(text),
    updated_at: text,
    /** The hash of the words: they are rewritten only when it changes. */
    digest: text,
  },
})
export type SearchRecordsTable = RowOf<typeof searchRecords>

/** A row of the index, as stored. */
export type SearchRecord = Selectable<SearchRecordsTable>

/** The words of the records in the index: a full-text index on SQLite, vectors of words on PostgreSQL. */
export const searchTerms = table({
  name: 'search_terms',
  key: ['ordinal'],
  stays: true,
  engine: 'own form',
  columns: { ordinal: whole },
})

/** A kind of record on a board: permissions and most filters reduce to a list of places. */
export const searchPlaces = table({
  name: 'search_places',
  key: ['place'],
  removed: 'with the board',
  stays: true,
  columns: {
    place: generated(whole),
    board_id: ofBoard,
    kind: oneOf<SearchedKind>(),
  },
})

/** Rows written since they were last indexed, in the order of the writes. */
export const searchChanges = table({
  name: 'search_changes',
  key: ['change'],
  stays: true,
  columns: {
    change: generated(whole),
    source_type: oneOf<SearchSource>(),
    source_id: text,
  },
})
export type SearchChangesTable = RowOf<typeof searchChanges>

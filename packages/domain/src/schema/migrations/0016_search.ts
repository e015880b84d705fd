import { noteAll, notingTriggers, type SearchedTable } from '../search-tables.ts'
import { sqliteTrigger } from '../triggers.ts'
import { statements } from './statements.ts'

const stateful = 'updated_at, title, status, archived'

/** The tables with records that are searched, with the columns whose changes are noted. */
export const searched: readonly (SearchedTable & { readonly columns: string })[] = [
  { source: 'ideation', table: 'ideations', columns: stateful },
  { source: 'refinement', table: 'refinements', columns: `${stateful}, ideation_id` },
  { source: 'spec', table: 'specs', columns: `${stateful}, ideation_id, refinement_id` },
  { source: 'sprint', table: 'sprints', columns: `${stateful}, spec_id` },
  { source: 'card', table: 'cards', columns: `${stateful}, spec_id` },
  { source: 'architecture', table: 'architecture_designs', columns: 'updated_at, title' },
  { source: 'knowledge', table: 'knowledge', columns: 'updated_at, title' },
  { source: 'guideline', table: 'guidelines', columns: 'updated_at, title' },
]

/**
 * The index of search (board 4). What exists is noted as changed, so that the first start or search afterwards indexes
 * it, in small units of work.
 */
export const migration = statements([
  `create table search_records (
    ordinal integer primary key,
    kind text not null,
    record_id text not null,
    source_type text not null,
    source_id text not null,
    place integer not null,
    status text,
    archived integer not null,
    title_key text not null,
    labels text,
    assignee_id text,
    parent_type text,
    parent_id text,
    updated_at text not null,
    digest text not null
  )`,
  `create index search_records_source on search_records (source_id, source_type)`,
  `create index search_records_record on search_records (record_id)`,
  `create index search_records_parent on search_records (parent_id) where parent_id is not null`,
  // The order of a search without words, with what it filters by.
  `create index search_records_changed on search_records (updated_at desc, record_id, place, archived, status)`,
  `create table search_places (
    place integer primary key,
    board_id text not null references boards (id) on delete cascade,
    kind text not null
  )`,
  `create unique index search_places_board on search_places (board_id, kind)`,
  `create table search_changes (
    change integer primary key,
    source_type text not null,
    source_id text not null
  )`,
  `create unique index search_changes_source on search_changes (source_id, source_type)`,
  // The words of a record and, marked with a dot, their stems; words that begin with one letter are found at once.
  `create virtual table search_terms using fts5 (
    title, text, content = '', contentless_delete = 1, detail = column, prefix = '1', tokenize = 'ascii'
  )`,
  ...searched.flatMap(table => [...notingTriggers(table, table.columns).map(sqliteTrigger), noteAll(table)]),
])

/** The search index (board 4) and saved searches; the word index differs between the databases. */
export const searchTables: readonly string[] = [
  `create table saved_searches (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    name text not null,
    query text,
    intent_id text,
    filters_json text,
    created_by text not null,
    created_at text not null,
    unique (board_id, name)
  )`,
  `create index saved_searches_board on saved_searches (board_id, created_at, id)`,
  `create table search_history (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    user_id text not null,
    query text,
    intent_id text not null,
    result_count integer not null,
    searched_at text not null
  )`,
  `create index search_history_user on search_history (board_id, user_id, searched_at, id)`,
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
  `create index search_records_changed on search_records (updated_at desc, record_id, place, archived, status)`,
  `create index search_records_held on search_records (place, archived, status)`,
  `create index search_records_title on search_records (title_key, place, archived, updated_at, record_id)`,
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
]

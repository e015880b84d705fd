/** Imports, and records that came from elsewhere. */
export const exchangeTables: readonly string[] = [
  `create table external_ids (
    board_id text not null references boards (id) on delete cascade,
    source text not null,
    external_id text not null,
    entity_type text not null,
    entity_id text not null,
    imported text not null,
    imported_at text not null,
    created_at text not null,
    primary key (board_id, source, external_id)
  ) without rowid`,
  `create index external_ids_entity on external_ids (entity_id, imported_at)`,
  `create table external_authors (
    board_id text not null references boards (id) on delete cascade,
    author text not null,
    agent_id text not null,
    name text,
    primary key (board_id, author)
  ) without rowid`,
  `create table imports (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    written integer not null,
    started_at text not null,
    staged text,
    node_id text
  )`,
  `create index imports_board on imports (board_id)`,
  `create table import_writes (
    import_id text not null references imports (id) on delete cascade,
    at integer not null,
    writes text not null,
    primary key (import_id, at)
  )`,
  `create table import_touched (
    import_id text not null references imports (id) on delete cascade,
    at bigint not null,
    ids text not null,
    primary key (import_id, at)
  )`,
  `create table import_gates (
    import_id text not null references imports (id) on delete cascade,
    node_id text not null references nodes (id) on delete cascade,
    primary key (import_id, node_id)
  )`,
  `create index import_gates_node on import_gates (node_id)`,
]

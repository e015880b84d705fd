import { statements } from './statements.ts'

/** Imports: what records are called elsewhere, who wrote them there, and what of an import is not finished. */
export const migration = statements([
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
  `create table graph_actions (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    action text not null,
    node_type text,
    record_ref text not null,
    actor_id text not null,
    created_at text not null
  )`,
  `create index graph_actions_record on graph_actions (board_id, record_ref)`,
  `create table imports (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    written integer not null,
    started_at text not null
  )`,
  `create index imports_board on imports (board_id)`,
])

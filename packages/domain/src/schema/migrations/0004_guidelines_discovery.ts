import { statements } from './statements.ts'

/** Guidelines, saved searches and search history. */
export const migration = statements([
  `create table guidelines (
    id text not null primary key,
    title text not null,
    content text not null,
    tags text,
    scope text not null,
    board_id text references boards (id) on delete set null,
    owner_id text not null,
    version integer not null,
    priority integer not null,
    created_at text not null,
    updated_at text not null
  )`,
  `create index guidelines_owner on guidelines (owner_id, created_at, id)`,
  `create index guidelines_board on guidelines (board_id)`,
  `create table board_guidelines (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    guideline_id text not null references guidelines (id) on delete cascade,
    priority integer not null,
    created_at text not null,
    unique (board_id, guideline_id)
  )`,
  `create index board_guidelines_guideline on board_guidelines (guideline_id)`,
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
])

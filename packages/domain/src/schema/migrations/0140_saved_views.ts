import { statements } from './statements.ts'

/** Pages of boards with their filters, saved under names (web 3). */
export const texts = [
  `create table saved_views (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    owner_id text not null,
    shared bigint not null,
    name text not null,
    page text not null,
    query text not null,
    created_at text not null,
    updated_at text not null
  )`,
  'create index saved_views_board on saved_views (board_id, name, id)',
  'create index saved_views_owner on saved_views (owner_id, board_id)',
]

export const migration = statements(texts)

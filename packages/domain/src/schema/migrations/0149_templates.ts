import { statements } from './statements.ts'

/** Templates of cards and specs, kept by their boards (web 4). */
export const texts = [
  `create table templates (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    entity_type text not null,
    name text not null,
    content text not null,
    created_by text not null,
    created_at text not null,
    updated_at text not null
  )`,
  'create index templates_board on templates (board_id, name, id)',
]

export const migration = statements(texts)

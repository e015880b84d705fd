import { statements } from './statements.ts'

/** Decisions on whom the names in records refer to that are not agents (people 1.6). */
export const texts = [
  `create table imported_names (
    board_id text not null references boards (id) on delete cascade,
    name text not null,
    merged_into text,
    decided_by text not null,
    decided_at text not null,
    primary key (board_id, name)
  )`,
]

export const migration = statements(texts)

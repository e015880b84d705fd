import { statements } from './statements.ts'

/** The scopes of cards, and paths that are reserved without one (harness 4.1, 5.7). */
export const texts = [
  `alter table cards add column paths text not null default '[]'`,
  `create index cards_scoped on cards (board_id) where paths <> '[]'`,
  `create table path_reservations (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    agent_id text not null,
    paths text not null,
    note text,
    session text,
    created_at text not null,
    expires_at text not null
  )`,
  `create index path_reservations_board on path_reservations (board_id, expires_at, id)`,
  `create index path_reservations_agent on path_reservations (agent_id, board_id, expires_at)`,
]

export const migration = statements(texts)

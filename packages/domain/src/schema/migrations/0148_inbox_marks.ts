import { statements } from './statements.ts'

/** How somebody marked the items of their inbox: as read, or put away (board 1.1). */
export const texts = [
  `create table inbox_marks (
    agent_id text not null,
    item_id text not null,
    board_id text not null,
    record_id text not null,
    since text not null,
    is_read bigint not null,
    is_snoozed bigint not null,
    until text,
    after_seq bigint,
    primary key (agent_id, item_id)
  )`,
  'create index inbox_marks_board on inbox_marks (board_id)',
]

export const migration = statements(texts)

import { statements } from './statements.ts'

/** What kept cards from moves that followed from their changes (git 7). */
export const texts = [
  `create table automation_refusals (
    card_id text not null primary key references cards (id) on delete cascade,
    board_id text not null references boards (id) on delete cascade,
    change_id text not null references changes (id) on delete cascade,
    agent_id text,
    from_status text not null,
    to_status text not null,
    moved_at text not null,
    code text not null,
    message text not null,
    missing text not null,
    cause text not null,
    report text not null,
    at text not null
  )`,
  `create index automation_refusals_board on automation_refusals (board_id)`,
  `create index automation_refusals_change on automation_refusals (change_id)`,
]

export const migration = statements(texts)

import { statements } from './statements.ts'

/**
 * Claims, at most one a card; and indexes with what tells which cards are ready (work 2, 3), so that no card with its
 * texts is read.
 */
export const migration = statements([
  `create table claims (
    card_id text not null primary key references cards (id) on delete cascade,
    board_id text not null references boards (id) on delete cascade,
    agent_id text not null,
    stage text not null,
    note text,
    claimed_at text not null,
    renewed_at text not null,
    expires_at text not null,
    recorded_at text not null
  )`,
  `create index claims_board on claims (board_id, expires_at)`,
  `create index claims_agent on claims (agent_id, board_id)`,
  `create index cards_open on cards (id) where archived = 0 and status not in ('done', 'cancelled')`,
  `create index cards_not_started on cards (
    board_id, id, card_type, spec_id, sprint_id, priority, due_date, position, created_at, assignee_id
  ) where archived = 0 and status = 'not_started'`,
])

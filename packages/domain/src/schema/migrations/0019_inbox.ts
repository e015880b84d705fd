import { statements } from './statements.ts'

/**
 * What waits for somebody is found in indexes that hold little else: unanswered questions, comments with choices, and
 * the entries by which records came to their status. Entries of the log have a place among those of all boards, which
 * one connection follows (board 2); those from before have none, and a cursor never lies before them.
 */
export const migration = statements([
  `create index questions_open on questions (board_id, owner_type, created_at, id, owner_id, asked_by)
    where answered_at is null`,
  `create index comments_choices on comments (board_id, created_at, id) where comment_type <> 'text'`,
  `create index events_moved on events (entity_id, seq) where history_action = 'status_changed'`,
  `create table counters (name text not null primary key, value integer not null) without rowid`,
  `insert into counters (name, value) values ('events', 0)`,
  `alter table events add column position integer`,
  `create unique index events_position on events (position) where position is not null`,
])

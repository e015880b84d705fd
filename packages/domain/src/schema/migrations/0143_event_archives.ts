import { statements } from './statements.ts'

/** Entries of event logs that were moved to files (work 5.1). */
export const texts = [
  `create table event_archives (
    board_id text not null references boards (id) on delete cascade,
    file text not null,
    last_seq bigint not null,
    last_position bigint,
    entries bigint not null,
    created_at text not null,
    primary key (board_id, file)
  )`,
  'create index event_archives_sequence on event_archives (board_id, last_seq)',
  'create index event_archives_position on event_archives (last_position)',
]

export const migration = statements(texts)

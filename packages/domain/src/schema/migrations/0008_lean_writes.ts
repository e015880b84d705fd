import { statements } from './statements.ts'

/**
 * Fewer indexes for every write to update: the event log is indexed by the board's sequence number, and by card only
 * for entries with one; the graph's queue by record, id and board.
 */
export const migration = statements([
  `drop index events_board`,
  `drop index events_card`,
  `create index events_card on events (card_id, id) where card_id is not null`,
  `alter table kg_queue rename to kg_queue_before`,
  `create table kg_queue (
    id text not null unique,
    board_id text not null references boards (id) on delete cascade,
    artifact_type text not null,
    artifact_id text not null,
    priority_rank integer not null,
    lineage_rank integer not null,
    source text not null,
    status text not null,
    triggered_at text not null,
    triggered_by_event text,
    claimed_by_session_id text,
    claimed_at text,
    claim_timeout_at text,
    next_retry_at text,
    attempts integer not null,
    last_error text,
    errors text not null,
    changed integer not null,
    run_id text,
    primary key (artifact_id, artifact_type)
  ) without rowid`,
  `insert into kg_queue select * from kg_queue_before`,
  `drop table kg_queue_before`,
  `create index kg_queue_board on kg_queue (board_id, status, priority_rank, triggered_at, lineage_rank, id)`,
  `create index kg_queue_claimed on kg_queue (board_id) where status = 'claimed'`,
  `create index kg_queue_retries on kg_queue (next_retry_at) where next_retry_at is not null`,
])

import { statements } from './statements.ts'

/** Webhooks, what is sent to them, and which entries of the event log come from an import (work 6). */
export const migration = statements([
  `create table webhooks (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    url text not null,
    description text,
    events text not null,
    active integer not null,
    format text not null,
    secret text not null,
    former_secret text,
    former_secret_until text,
    cursor integer not null,
    created_by text not null,
    created_at text not null,
    updated_at text not null,
    disabled_reason text,
    last_success_at text,
    last_failure_at text,
    failing_since text
  )`,
  `create index webhooks_board on webhooks (board_id, created_at, id)`,
  `create index webhooks_active on webhooks (board_id, id) where active = 1`,
  `create table webhook_deliveries (
    id text not null primary key,
    webhook_id text not null references webhooks (id) on delete cascade,
    message_id text not null,
    event_sequence integer,
    asked integer not null,
    status text not null,
    attempts integer not null,
    next_attempt_at text,
    response_status integer,
    response_excerpt text,
    duration_ms integer,
    created_at text not null,
    delivered_at text
  )`,
  `create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at, id)`,
  `create index webhook_deliveries_status on webhook_deliveries (webhook_id, status, created_at, id)`,
  `create index webhook_deliveries_line on webhook_deliveries (webhook_id, id) where status = 'pending' and asked = 0`,
  `create index webhook_deliveries_asked on webhook_deliveries (webhook_id, next_attempt_at, id)
    where status = 'pending' and asked = 1`,
  `create index webhook_deliveries_created on webhook_deliveries (created_at) where status <> 'pending'`,
  `alter table events add column imported integer not null default 0`,
])

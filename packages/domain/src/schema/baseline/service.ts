/** The service's own data: the event log, settings, stored answers, nodes, MCP sessions, webhooks. */
export const serviceTables: readonly string[] = [
  `create table runtime_settings (
    key text not null primary key,
    value integer not null,
    updated_at text not null
  )`,
  `create table audit (
    id text not null primary key,
    actor_id text not null,
    actor_name text not null,
    action text not null,
    target_id text not null,
    fields text not null,
    created_at text not null,
    target_type text not null default 'agent',
    target_name text not null default '',
    origin text not null default 'http',
    actor_type text not null default 'agent',
    actor_via text,
    details text
  )`,
  `create index audit_time on audit (created_at, id)`,
  `create index audit_target on audit (target_id, created_at, id)`,
  `create table events (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    seq integer not null,
    entity_type text not null,
    entity_id text not null,
    action text,
    history_action text,
    card_id text,
    actor_id text not null,
    actor_name text not null,
    details text,
    changes text,
    summary text,
    version integer,
    domain text,
    created_at text not null,
    imported integer not null default 0,
    position integer,
    rev bigint,
    actor_type text not null default 'agent',
    actor_via text,
    unique (board_id, seq)
  )`,
  `create index events_card on events (card_id, created_at, id) where card_id is not null and action is not null`,
  `create index events_entity on events (entity_type, entity_id, created_at, id, history_action)`,
  `create index events_record on events (entity_id, seq)`,
  `create index events_moved on events (entity_id, seq) where history_action = 'status_changed'`,
  `create unique index events_position on events (position) where position is not null`,
  `create table idempotency_keys (
    agent_id text not null,
    path text not null,
    key text not null,
    body_hash text not null,
    answer text not null,
    created_at text not null,
    primary key (agent_id, path, key)
  )`,
  `create index idempotency_keys_created on idempotency_keys (created_at)`,
  `create table secrets (
    name text not null primary key,
    value text not null
  )`,
  `create table mcp_sessions (
    id_hash text not null primary key,
    agent_id text not null,
    terminated_at text,
    expires_at text not null
  )`,
  `create index mcp_sessions_expires on mcp_sessions (expires_at)`,
  `create table mcp_subscriptions (
    id_hash text not null references mcp_sessions (id_hash) on delete cascade,
    uri text not null,
    primary key (id_hash, uri)
  )`,
  `create table mcp_used_tickets (
    id_hash text not null primary key,
    expires_at text not null
  )`,
  `create index mcp_used_tickets_expires on mcp_used_tickets (expires_at)`,
  `create table list_counts (
    board_id text not null references boards (id) on delete cascade,
    kind text not null,
    since text not null,
    status text not null,
    archived integer not null,
    count integer not null,
    primary key (board_id, kind, since, status, archived)
  ) without rowid`,
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
    failing_since text,
    earlier_secrets text
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
  `create table counters (
    name text not null primary key,
    value integer not null
  ) without rowid`,
  `create table nodes (
    id text not null primary key,
    leased_until text not null,
    host text not null default '',
    port bigint not null default 0,
    version text not null default '',
    started_at text not null default '',
    seen_at text not null default ''
  )`,
  `create table leases (
    name text not null primary key,
    node_id text not null references nodes (id) on delete cascade
  )`,
  `create index leases_node on leases (node_id)`,
  `create table deleted_numbers (
    entity_id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    number bigint not null
  )`,
  `create index deleted_numbers_board on deleted_numbers (board_id, number)`,
  `create table news (
    agent_id text not null,
    kind text not null,
    source text not null,
    board_id text not null references boards (id) on delete cascade,
    entity_type text not null,
    entity_id text not null,
    since text not null,
    actor_id text,
    actor_name text,
    data text not null,
    record text,
    primary key (agent_id, kind, source)
  )`,
  `create index news_board on news (board_id)`,
  `create index news_entity on news (entity_id, agent_id)`,
  `create table write_probes (
    id bigint not null primary key,
    at bigint not null
  )`,
  `create table worker_signs (
    node text not null primary key,
    refusals text not null,
    waiting text not null,
    written_at text not null
  )`,
]

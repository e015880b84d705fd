import { statements } from './statements.ts'

/** Agents, presets, boards, access, the event log and the service's own tables. */
export const migration = statements([
  `create table agents (
    id text not null primary key,
    name text not null,
    description text,
    objective text,
    is_active integer not null,
    preset_id text,
    permission_flags text,
    key_hash text,
    api_key_prefix text not null,
    created_by text not null,
    created_at text not null,
    last_used_at text,
    deleted_at text,
    unique (key_hash)
  )`,
  `create index agents_created_by on agents (created_by)`,
  `create table presets (
    id text not null primary key,
    owner_id text,
    name text not null,
    description text not null,
    is_builtin integer not null,
    base_preset_id text,
    flags text not null,
    revision integer not null,
    created_at text not null,
    updated_at text not null
  )`,
  `create index presets_owner on presets (owner_id)`,
  `create table boards (
    id text not null primary key,
    name text not null,
    description text not null,
    owner_id text not null,
    settings text not null,
    seq integer not null,
    created_at text not null,
    updated_at text not null
  )`,
  `create index boards_owner on boards (owner_id)`,
  `create table grants (
    id text not null primary key,
    agent_id text not null,
    board_id text not null references boards (id) on delete cascade,
    granted_by text not null,
    granted_at text not null,
    permission_overrides text,
    unique (board_id, agent_id)
  )`,
  `create index grants_agent on grants (agent_id)`,
  `create table shares (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    user_id text not null,
    permission text not null,
    shared_by text not null,
    created_at text not null,
    unique (board_id, user_id)
  )`,
  `create index shares_user on shares (user_id)`,
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
    created_at text not null
  )`,
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
    unique (board_id, seq)
  )`,
  `create index events_entity on events (entity_type, entity_id, id)`,
  `create index events_card on events (card_id, id)`,
  `create index events_board on events (board_id, id)`,
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
])

/** Agents, presets, boards, and access to boards. */
export const accessTables: readonly string[] = [
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
    disabled_by text,
    key_expires_at text,
    former_key_hash text,
    former_key_until text,
    session_generation bigint not null default 0,
    kind text not null default 'agent',
    handle text,
    email text,
    key_seen_by text,
    unique (key_hash)
  )`,
  `create index agents_created_by on agents (created_by)`,
  `create unique index agents_former_key on agents (former_key_hash) where former_key_hash is not null`,
  `create index agents_preset on agents (preset_id, created_at, id) where preset_id is not null`,
  `create index agents_kind on agents (kind, id)`,
  `create index agents_handle on agents (handle)`,
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
    updated_at text not null,
    key text not null default '',
    last_number integer not null default 0
  )`,
  `create index boards_owner on boards (owner_id)`,
  `create unique index boards_key on boards (key)`,
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
  `create index shares_board on shares (board_id, created_at, id)`,
  `create table former_board_keys (
    key text not null primary key,
    board_id text not null references boards (id) on delete cascade
  )`,
  `create index former_board_keys_board on former_board_keys (board_id)`,
  `create table group_shares (
    share_id text not null primary key,
    person_id text not null,
    provider text not null
  )`,
  `create index group_shares_of on group_shares (person_id, provider)`,
  `create table lent_ways (
    way_id text not null primary key,
    agent_id text not null,
    person_id text not null,
    board_id text not null
  )`,
  `create index lent_ways_of on lent_ways (person_id, board_id)`,
]

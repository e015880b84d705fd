import { statements } from './statements.ts'

/** Links that sign a person in once, and invitations (people 2.5, 2.6); of their tokens only hashes. */
export const texts = [
  `create table sign_in_links (
    agent_id text not null primary key,
    token_hash text not null unique,
    expires_at text not null
  )`,
  `create table invitations (
    id text not null primary key,
    token_hash text not null unique,
    name text,
    email text,
    preset_id text not null,
    boards text not null,
    invited_by text not null,
    created_at text not null,
    expires_at text not null,
    accepted_at text,
    accepted_by text,
    revoked_at text
  )`,
  `create index invitations_by on invitations (invited_by, created_at, id)`,
  `create index invitations_created on invitations (created_at, id)`,
]

export const migration = statements(texts)

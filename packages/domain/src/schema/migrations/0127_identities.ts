import { statements } from './statements.ts'

/** Accounts at providers that sign persons in, and the shares that their groups give (people 2.3). */
export const texts = [
  `create table identities (
    id text not null primary key,
    person_id text not null,
    provider text not null,
    issuer text not null,
    subject text not null,
    email text,
    name text,
    linked_at text not null,
    last_used_at text not null
  )`,
  `create unique index identities_known on identities (issuer, subject)`,
  `create index identities_of on identities (person_id, linked_at, id)`,
  `create table group_shares (
    share_id text not null primary key,
    person_id text not null,
    provider text not null
  )`,
  `create index group_shares_of on group_shares (person_id, provider)`,
]

export const migration = statements(texts)

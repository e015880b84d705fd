import { statements } from './statements.ts'

/**
 * Whether a person has been notified of ended connections (people 3.7), and how a one-time link was delivered (people
 * 2.5).
 */
export const texts = [
  `alter table connections add column unseen_end bigint not null default 0`,
  `create index connections_unseen on connections (person_id) where unseen_end = 1`,
  `alter table sign_in_links add column via text not null default 'link'`,
]

export const migration = statements(texts)

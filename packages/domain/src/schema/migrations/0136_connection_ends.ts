import { statements } from './statements.ts'

/** Persons are told which of their connections ended because a token was used twice (people 3.7). */
export const texts = [
  `alter table connections add column unseen_end bigint not null default 0`,
  `create index connections_unseen on connections (person_id) where unseen_end = 1`,
]

export const migration = statements(texts)

import { statements } from './statements.ts'

/** The columns that both databases get. */
export const texts = [
  `alter table nodes add column host text not null default ''`,
  `alter table nodes add column port bigint not null default 0`,
  `alter table nodes add column version text not null default ''`,
  `alter table nodes add column started_at text not null default ''`,
  `alter table nodes add column seen_at text not null default ''`,
  `create table write_probes (id bigint not null primary key, at bigint not null)`,
]

/** Where each node listens, so that the state of the service names all of them, and a row that shows that writes succeed. */
export const migration = statements(texts)

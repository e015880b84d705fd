import { statements } from './statements.ts'

/** What imports into boards that stand are going to write, until it is put in place (exchange 1). */
export const texts = [
  `alter table imports add column staged text`,
  `create table import_writes (
    import_id text not null references imports (id) on delete cascade,
    at integer not null,
    writes text not null,
    primary key (import_id, at)
  )`,
]

export const migration = statements(texts)

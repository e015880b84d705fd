import { statements } from './statements.ts'

/**
 * The files of attachments, which on SQLite lie in the data folder. A file without a size is not complete. Most are
 * compressed already: the server need not try.
 */
export const migration = statements([
  `create table attachment_files (
    path text not null primary key,
    size bigint,
    started_at text not null
  )`,
  `create table attachment_parts (
    path text not null references attachment_files (path) on delete cascade,
    part integer not null,
    bytes bytea not null,
    primary key (path, part)
  )`,
  `alter table attachment_parts alter column bytes set storage external`,
  `create index attachment_files_unfinished on attachment_files (started_at) where size is null`,
])

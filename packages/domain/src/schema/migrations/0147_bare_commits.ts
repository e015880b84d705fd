import { statements } from './statements.ts'

/** Commits without a link that are kept for their order alone (git 3, rule 6), and those that become so next. */
export const texts = [
  'alter table changes add column is_bare bigint not null default 0',
  `create index changes_fading on changes (updated_at) where kind = 'commit' and is_linked = 0 and is_bare = 0`,
]

export const migration = statements(texts)

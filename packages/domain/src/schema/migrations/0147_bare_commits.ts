import { statements } from './statements.ts'

/**
 * Commits without a link that are kept only for their order (git 3, rule 6), and an index of those that are next to be
 * reduced to that.
 */
export const texts = [
  'alter table changes add column is_bare bigint not null default 0',
  `create index changes_fading on changes (updated_at) where kind = 'commit' and is_linked = 0 and is_bare = 0`,
]

export const migration = statements(texts)

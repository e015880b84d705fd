import { statements } from './statements.ts'

/** The columns that both databases get. */
export const texts = [
  `alter table cards add column requirement_changes text`,
  `alter table cards add column changes_seen_at text`,
]

/** What others changed of what a card is to do, and when its holder read it last (crew 4.7). */
export const migration = statements(texts)

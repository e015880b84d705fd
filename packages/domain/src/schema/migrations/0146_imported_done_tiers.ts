import { statements } from './statements.ts'

/** The tier with which a record was done elsewhere, which vouches for nothing here (evidence 14, walls 5). */
export const texts = ['alter table done_tiers add column origin text']

export const migration = statements(texts)

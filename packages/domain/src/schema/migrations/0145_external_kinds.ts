import { statements } from './statements.ts'

/** What an imported file says its authors are; an export repeats it (people 1.5). */
export const texts = ['alter table external_authors add column kind text']

export const migration = statements(texts)

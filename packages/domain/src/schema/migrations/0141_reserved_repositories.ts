import { statements } from './statements.ts'

/** Reserved paths may belong to one repository (harness 5.7). */
export const texts = [`alter table path_reservations add column repository_id text`]

export const migration = statements(texts)

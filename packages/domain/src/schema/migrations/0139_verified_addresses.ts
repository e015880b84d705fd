import { statements } from './statements.ts'

/** The address of an account that its provider last verified: a channel to it needs no code (people 5.3). */
export const texts = [`alter table identities add column verified_email text`]

export const migration = statements(texts)

import { statements } from './statements.ts'

/** The secrets of a webhook that were replaced before the last one was, while they sign too (work 6). */
export const texts = [`alter table webhooks add column earlier_secrets text`]

export const migration = statements(texts)

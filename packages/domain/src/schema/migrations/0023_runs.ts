import { statements } from './statements.ts'

/** The entries of a backfill are counted by an index alone. */
export const texts = [`create index kg_queue_run on kg_queue (run_id, status) where run_id is not null`]

export const migration = statements(texts)

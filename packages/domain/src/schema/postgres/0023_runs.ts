import { statements } from './statements.ts'

/** The entries of a backfill are counted by an index alone. */
export const migration = statements([`create index kg_queue_run on kg_queue (run_id, status) where run_id is not null`])

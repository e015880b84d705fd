import { statements } from './statements.ts'

/** The events of one record in their order; those of a board are found by its sequence. */
export const migration = statements([`create index events_record on events (entity_id, seq)`])

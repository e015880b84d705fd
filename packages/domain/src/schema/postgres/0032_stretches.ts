import { recounting, triggers } from '../migrations/0032_stretches.ts'
import { postgresFunction } from '../triggers.ts'
import { statements } from './statements.ts'

/** Shorter stretches of lists, as in SQLite. */
export const migration = statements([...triggers.map(postgresFunction), ...recounting])

import { triggers } from '../migrations/0035_full_stretches.ts'
import { postgresFunction } from '../triggers.ts'
import { statements } from './statements.ts'

/** Looks for later records only where a stretch is full, as in SQLite. */
export const migration = statements(triggers.map(postgresFunction))

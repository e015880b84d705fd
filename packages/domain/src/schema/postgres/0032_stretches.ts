import { recounting, triggers } from '../migrations/0032_stretches.ts'
import { postgresTrigger } from '../triggers.ts'
import { statements } from './statements.ts'

const functions = triggers.map(trigger =>
  postgresTrigger(trigger)[0]!.replace('create function', 'create or replace function'),
)

/** Shorter stretches of lists, as in SQLite. */
export const migration = statements([...functions, ...recounting])

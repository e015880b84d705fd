import { countingTriggers, dividedTables } from '../list-counts.ts'
import { sqliteTrigger } from '../triggers.ts'
import { statements } from './statements.ts'

/** The triggers that count the lists which are divided into stretches. */
export const triggers = dividedTables.flatMap(table => countingTriggers(table))

/** Looks for later records only where a stretch is full. */
export const migration = statements([
  ...triggers.map(({ name }) => `drop trigger ${name}`),
  ...triggers.map(sqliteTrigger),
])

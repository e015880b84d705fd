import { countAll, countingTriggers, dividedTables, splittingTrigger } from '../list-counts.ts'
import { sqliteTrigger, type Trigger } from '../triggers.ts'
import { statements } from './statements.ts'

/** The triggers that say how long a stretch of a list is. */
export const triggers: readonly Trigger[] = dividedTables.flatMap(table => [
  ...countingTriggers(table),
  splittingTrigger(table),
])

/** Counts the lists anew, in stretches of the present length. */
export const recounting = [
  `delete from list_counts where kind <> 'card'`,
  ...dividedTables.map(table => countAll(table)),
]

/** Shorter stretches, so that a page in the middle of a long list passes fewer records. */
export const migration = statements([
  ...triggers.map(({ name }) => `drop trigger ${name}`),
  ...recounting,
  ...triggers.map(sqliteTrigger),
])

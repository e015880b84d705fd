import { type CountedTable, countAll, movedCounts, splittingTrigger } from '../list-counts.ts'
import { sqliteTrigger } from '../triggers.ts'
import { statements } from './statements.ts'

const divided = [
  { kind: 'ideation', table: 'ideations', key: 'updated_at' },
  { kind: 'spec', table: 'specs', key: 'updated_at' },
  { kind: 'sprint', table: 'sprints', key: 'updated_at' },
] as const satisfies readonly CountedTable[]

/** Stretches of lists divide where records come with times of their own; lists that are there are counted anew. */
export const migration = statements([
  `delete from list_counts where kind <> 'card'`,
  ...divided.flatMap(table => [countAll(table), sqliteTrigger(splittingTrigger(table))]),
  sqliteTrigger(movedCounts),
])

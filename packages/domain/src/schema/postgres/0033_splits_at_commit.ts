import { type CountedTable, dividedTables, splittingTrigger, stretchLength } from '../list-counts.ts'
import { recounting } from '../migrations/0032_stretches.ts'
import { postgresFunction } from '../triggers.ts'
import { statements } from './statements.ts'

/**
 * The function that divides a stretch of a list. It runs at the commit, when it may have been divided already: a statement
 * that writes many rows has all of them in the table before the first one is counted.
 */
export function splittingFunction(table: CountedTable & { key: string }, length = stretchLength): string {
  const trigger = splittingTrigger(table, length)
  const held = `(select sum(c.count) from list_counts c
    where c.board_id = new.board_id and c.kind = new.kind and c.since = new.since)`
  return postgresFunction({ ...trigger, when: `${trigger.when} and ${held} >= ${2 * length}` })
}

/** Divides stretches at the commit, and counts anew what was divided in the middle of a statement. */
export const migration = statements([
  ...dividedTables.flatMap(table => {
    const { name, table: counts, after } = splittingTrigger(table)
    return [
      splittingFunction(table),
      `drop trigger ${name} on ${counts}`,
      `create constraint trigger ${name} after ${after} on ${counts} deferrable initially deferred
        for each row execute function ${name}()`,
    ]
  }),
  ...recounting,
])

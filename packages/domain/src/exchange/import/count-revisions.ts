import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'

/** The entries that record changes of own fields: by the action in a history, or for cards in their activity. */
const changing = {
  ideations: ['ideation', 'history_action', ['created', 'updated', 'status_changed', 'complexity_evaluated']],
  refinements: ['refinement', 'history_action', ['created', 'updated', 'status_changed']],
  specs: ['spec', 'history_action', ['created', 'updated', 'status_changed', 'task_linked', 'task_unlinked']],
  sprints: ['sprint', 'history_action', ['created', 'updated', 'status_changed']],
  cards: ['card', 'action', ['card_created', 'card_updated', 'card_moved']],
} as const

/** Tables in which every change has incremented the version. */
const versioned = ['guidelines', 'architecture_designs']

/** Counts the `rev` of each record of a board from its log, for an archive without them (crew 12). */
export async function countRevisions(db: Db, boardId: string): Promise<void> {
  for (const [table, [type, column, actions]] of Object.entries(changing))
    await sql`update ${sql.table(table)} set rev = counted.entries
      from (select entity_id, count(*) as entries from events
        where entity_type = ${type} and ${sql.ref(column)} in (${sql.join(actions)}) and board_id = ${boardId}
        group by entity_id) counted where counted.entity_id = ${sql.table(table)}.id`.execute(db)
  for (const table of versioned)
    await sql`update ${sql.table(table)} set rev = version where board_id = ${boardId} and version > 1`.execute(db)
}

import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

/**
 * The table `managed(id)` for `with recursive`: all whom an agent manages, the agents that it made and those
 * that these made, through deleted agents too (access 1).
 */
export const managedBy = (agent: string) => sql`managed(id) as (
    select id from agents where created_by = ${agent} and id <> ${agent}
    union select agents.id from agents join managed on agents.created_by = managed.id
  )`

const makers = hot<{ agent: string; manager: string }, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`with recursive makers(id) as (
        select created_by from agents where id = ${param('agent')} and id <> created_by
        union select agents.created_by from agents join makers on agents.id = makers.id
      )
      select id from makers where id = ${param('manager')}`,
)

/** Whether an agent manages another: it made it, or manages the one that did. Nobody manages itself. */
export async function manages(db: Db, manager: string, agent: string): Promise<boolean> {
  return manager !== agent && (await makers(db, { manager, agent })).length > 0
}

const ownerById = hot<{ id: string }, { id: string }>((db, param) =>
  db.selectFrom('agents').select('id').where('id', '=', param('id')).whereRef('created_by', '=', 'id'),
)

/** Whether an agent is the `Local Owner`: the first one, its own creator (access 1). */
export const isOwner = async (db: Db, id: string): Promise<boolean> => (await ownerById(db, { id })).length > 0

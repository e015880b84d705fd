import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

/**
 * The table `managed(id)` for `with recursive`: all agents that an agent manages, which are those that it created and,
 * transitively, those that they created, including through deleted agents (access 1).
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

/** Whether an agent manages another: it created it, or manages its creator. No agent manages itself. */
export async function manages(db: Db, manager: string, agent: string): Promise<boolean> {
  return manager !== agent && (await makers(db, { manager, agent })).length > 0
}

const topMakers = hot<{ agent: string }, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`with recursive line(id, created_by, height) as (
        select id, created_by, 0 from agents where id = ${param('agent')} and id <> created_by
        union all select agents.id, agents.created_by, line.height + 1
          from agents join line on agents.id = line.created_by where agents.id <> agents.created_by
      )
      select id from line order by height desc limit 1`,
)

/**
 * The agent, created by `Local Owner`, that created the given agent directly or through others; undefined for `Local
 * Owner`.
 */
export const topMaker = async (db: Db, agent: string): Promise<string | undefined> =>
  (await topMakers(db, { agent }))[0]?.id

const ownerById = hot<{ id: string }, { id: string }>((db, param) =>
  db.selectFrom('agents').select('id').where('id', '=', param('id')).whereRef('created_by', '=', 'id'),
)

/** Whether an agent is the `Local Owner`: the first agent, which is its own creator (access 1). */
export const isOwner = async (db: Db, id: string): Promise<boolean> => (await ownerById(db, { id })).length > 0

import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { BoardReach } from './access.ts'
import { type BoardReachRow, wayColumns, wayOf, waysTo } from './records.ts'

const reached = hot<{ agent: string }, BoardReachRow>(
  (_, param) =>
    sql<BoardReachRow>`select ${wayColumns} from boards b ${waysTo(param('agent'))}
      where b.id in (select id from boards where owner_id = ${param('agent')}
        union all select board_id from grants where agent_id = ${param('agent')}
        union all select board_id from shares where user_id = ${param('agent')})
      order by b.id`,
)

/** The agent's way to each board that it sees, ordered by board id. */
export async function waysOf(db: Db, agentId: string): Promise<BoardReach[]> {
  return (await reached(db, { agent: agentId })).map(row => wayOf(row, agentId))
}

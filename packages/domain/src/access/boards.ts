import { sql } from 'kysely'
import type { Db } from '../storage/executor.ts'
import { hot } from '../storage/hot.ts'
import type { BoardWay } from './access.ts'
import { type WayRow, wayOf } from './records.ts'

const reached = hot<{ agent: string }, WayRow>((db, param) => ({
  compile: () =>
    sql<WayRow>`select b.id as board_id, b.owner_id, g.id as grant_id, g.permission_overrides as overrides,
        s.permission as share
      from boards b left join grants g on g.board_id = b.id and g.agent_id = ${param('agent')}
      left join shares s on s.board_id = b.id and s.user_id = ${param('agent')}
      where b.id in (select id from boards where owner_id = ${param('agent')}
        union all select board_id from grants where agent_id = ${param('agent')}
        union all select board_id from shares where user_id = ${param('agent')})
      order by b.id`.compile(db),
}))

/** How an agent reaches each board that it sees, by board id. */
export async function waysOf(db: Db, agentId: string): Promise<BoardWay[]> {
  return (await reached(db, { agent: agentId })).map(row => wayOf(row, agentId))
}

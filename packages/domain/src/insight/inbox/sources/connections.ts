import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { hot } from '../../../schema/hot.ts'
import type { ConnectionsTable } from '../../../schema/tables.ts'
import { idOf, noBoard, type WaitingItem } from '../rules.ts'
import { type Source, sourcesOf } from '../source.ts'

const unseen = hot<{ person: string }, WaitingItem>(
  (_, param) =>
    sql<WaitingItem>`select c.id as source, c.id as record, ${sql.lit(noBoard)} as board, c.ended_at as since
      from connections c where c.person_id = ${param('person')} and c.unseen_end = 1`,
)

type EndedConnection = Pick<
  ConnectionsTable,
  'id' | 'client_name' | 'client_host' | 'agent_id' | 'ended_at' | 'ended_reason'
> & {
  agent_name: string
}

const byIds = hot<{ ids: string }, EndedConnection>(
  (_, param) =>
    sql<EndedConnection>`select c.id, c.client_name, c.client_host, c.agent_id, a.name as agent_name, c.ended_at, c.ended_reason
      from connections c join agents a on a.id = c.agent_id
      where ${dialect.inList(sql.ref('c.id'), param('ids'))}`,
)

const kind = 'connection_ended'

/** Connections of the caller that ended because a token was used twice, until it dismisses them (people 3.7). */
export const endedConnections: Source = {
  kind,
  about: 'connection',
  isBoardless: true,
  isOpen: () => false,
  find: async (ctx, _boards) => (ctx.caller.kind === 'person' ? unseen(ctx.db, { person: ctx.caller.id }) : []),
  show: async (ctx, page) => {
    const rows = await byIds(ctx.db, sourcesOf(page))
    return new Map(
      rows.map(({ id, ...data }) => [
        id,
        {
          actor_id: null,
          data,
          operation: 'dismiss_inbox_items' as const,
          arguments: { ids: [idOf({ kind, source: id })] },
        },
      ]),
    )
  },
}

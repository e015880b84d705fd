import type { Connection as ConnectionSchema, features } from '@specboard/contract'
import type { Param } from '@specboard/storage'
import type { z } from 'zod'
import { notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { paged, window } from '../../kernel/page.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { ConnectionsTable } from '../../schema/tables.ts'
import { boardsOfAgents } from '../board-access/boards-of.ts'
import { connectionIdleMs, endConnection, findConnection } from './store.ts'

type People = typeof features.people

/** How long an ended connection is still listed, ms. */
const shownMs = 30 * 24 * 3_600_000

interface Row extends ConnectionsTable {
  agent_name: string
  person_name: string
}

interface ConnectionQuery {
  since: string
}

/** The listed connections, by the index of their last use. */
const baseQuery = (db: Db, param: Param<ConnectionQuery>) =>
  db
    .selectFrom('connections')
    .where('connections.last_used_at', '>', '')
    .where(({ or, eb }) =>
      or([eb('connections.ended_at', 'is', null), eb('connections.ended_at', '>', param('since'))]),
    )

const named = (query: ReturnType<typeof baseQuery>) =>
  query
    .innerJoin('agents as agent', 'agent.id', 'connections.agent_id')
    .innerJoin('agents as person', 'person.id', 'connections.person_id')
    .selectAll('connections')
    .select(['agent.name as agent_name', 'person.name as person_name'])
    .orderBy('connections.last_used_at', 'desc')
    .orderBy('connections.id', 'desc')

const countedIn = (query: ReturnType<typeof baseQuery>) => query.select(({ fn }) => fn.countAll<number>().as('count'))

const allListed = hot<ConnectionQuery & { limit: number; offset: number }, Row>((db, param) =>
  named(baseQuery(db, param)).limit(param('limit')).offset(param('offset')),
)

const allCounted = hot<ConnectionQuery, { count: number }>((db, param) => countedIn(baseQuery(db, param)))

interface OfPerson extends ConnectionQuery {
  person: string
}

const ownListed = hot<OfPerson & { limit: number; offset: number }, Row>((db, param) =>
  named(baseQuery(db, param).where('connections.person_id', '=', param('person')))
    .limit(param('limit'))
    .offset(param('offset')),
)

const ownCounted = hot<OfPerson, { count: number }>((db, param) =>
  countedIn(baseQuery(db, param).where('connections.person_id', '=', param('person'))),
)

/**
 * A connection as answered. One that was unused for long has ended, although nobody recorded that.
 * @param boards the boards of each agent, as far as the caller sees them
 */
function connectionOf(
  row: Row,
  boards: Awaited<ReturnType<typeof boardsOfAgents>>,
  now: string,
): z.output<typeof ConnectionSchema> {
  const { grant_id, choice, confirm, scopes, ended_at, ended_reason, unseen_end, ...rest } = row
  const expires_at = new Date(Date.parse(row.last_used_at) + connectionIdleMs).toISOString()
  const isUnused = ended_at === null && expires_at <= now
  const hasEnded = isUnused || ended_at !== null
  return {
    ...rest,
    boards: hasEnded ? [] : [...(boards.get(row.agent_id) ?? [])],
    scopes: scopes.split(' '),
    confirm: confirm === 1,
    expires_at,
    ended_at: isUnused ? expires_at : ended_at,
    ended_reason: isUnused ? 'unused' : ended_reason,
  }
}

/** list_connections: the caller's own, or with CONNECTIONS_MANAGE everybody's (people 3.5). */
export const listConnections: Implementation<People['list_connections']> = async ({ query }, ctx) => {
  if (query.all) ctx.require('CONNECTIONS_MANAGE')
  const since = new Date(Date.parse(ctx.now()) - shownMs).toISOString()
  const person = ctx.caller.id
  const page = { since, ...window(query) }
  const rows = await (query.all ? allListed(ctx.db, page) : ownListed(ctx.db, { person, ...page }))
  const total = async () => {
    const [row] = await (query.all ? allCounted(ctx.db, { since }) : ownCounted(ctx.db, { person, since }))
    return row!.count
  }
  const agents = new Set(rows.map(({ agent_id }) => agent_id))
  const boards = await boardsOfAgents(ctx, [...agents])
  return paged(rows, query, total, row => connectionOf(row, boards, ctx.now()))
}

/** revoke_connection: the caller's own, or with CONNECTIONS_MANAGE anybody's. */
export const revokeConnection: Implementation<People['revoke_connection']> = async ({ params }, ctx) => {
  const connection = await findConnection(ctx.db, params.connection_id)
  const mayEnd = connection?.person_id === ctx.caller.id || ctx.access.allows('CONNECTIONS_MANAGE')
  if (connection === undefined || !mayEnd) throw notFound('connection', params.connection_id)
  if (connection.ended_at === null) await endConnection(ctx, connection, 'revoked')
}

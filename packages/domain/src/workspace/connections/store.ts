/** Connections as stored, and how they end (people 3.5). */
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'
import type { ConnectionsTable } from '../../schema/tables.ts'

/** Why a connection ended. */
export type EndedReason = 'revoked' | 'reuse' | 'agent' | 'person' | 'unused'

/** How long an unused connection lasts, ms. */
export const connectionIdleMs = 60 * 24 * 3_600_000

const byId = hot<{ id: string }, ConnectionsTable>((db, param) =>
  db.selectFrom('connections').selectAll().where('id', '=', param('id')),
)

/** A connection by id; undefined if there is none. */
export const findConnection = async (db: Context['db'], id: string): Promise<ConnectionsTable | undefined> =>
  (await byId(db, { id }))[0]

const byGrant = hot<{ grant: string }, ConnectionsTable>((db, param) =>
  db.selectFrom('connections').selectAll().where('grant_id', '=', param('grant')).where('ended_at', 'is', null),
)

/** The connection that tokens belong to; undefined once it has ended. */
export const connectionOfGrant = async (db: Context['db'], grant: string): Promise<ConnectionsTable | undefined> =>
  (await byGrant(db, { grant }))[0]

const openOf = hot<{ principal: string }, ConnectionsTable>((db, param) =>
  db
    .selectFrom('connections')
    .selectAll()
    .where(({ or, eb }) => or([eb('agent_id', '=', param('principal')), eb('person_id', '=', param('principal'))]))
    .where('ended_at', 'is', null),
)

/** Ends a connection and deletes its tokens. */
export async function endConnection(
  ctx: Context,
  { id, grant_id, client_name }: Pick<ConnectionsTable, 'id' | 'grant_id' | 'client_name'>,
  reason: EndedReason,
): Promise<void> {
  const ended = await ctx.db
    .updateTable('connections')
    .set({ ended_at: ctx.now(), ended_reason: reason, unseen_end: reason === 'reuse' ? 1 : 0 })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  if (ended.length === 0) return
  await ctx.db.deleteFrom('oauth_records').where('grant_id', '=', grant_id).execute()
  await recordAudit(
    ctx,
    reason === 'reuse' ? 'connection_reused' : 'connection_ended',
    { type: 'connection', id, name: client_name },
    [],
    { reason },
  )
}

/** Ends all connections that act as a principal, or that it authorized. */
export async function endConnectionsOf(ctx: Context, principal: { readonly id: string; readonly kind: string }) {
  for (const connection of await openOf(ctx.db, { principal: principal.id }))
    await endConnection(ctx, connection, connection.agent_id === principal.id ? 'agent' : 'person')
}

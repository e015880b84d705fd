import { endUnseenClaims } from '../../delivery/claims/end.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { parseNullable, toJson } from '../../lib/json.ts'
import type { Flags } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow } from '../../schema/rows.ts'
import type { GrantsTable } from '../../schema/tables.ts'

const grantByAgent = hot<{ agent: string; board: string }, GrantsTable>((db, param) =>
  db.selectFrom('grants').selectAll().where('agent_id', '=', param('agent')).where('board_id', '=', param('board')),
)

/** An agent and a board. */
interface OfAgent {
  readonly agent_id: string
  readonly board_id: string
}

/** An agent's grant on a board; undefined when it has none. */
export async function findGrant(db: Db, { agent_id, board_id }: OfAgent): Promise<GrantsTable | undefined> {
  const [grant] = await grantByAgent(db, { agent: agent_id, board: board_id })
  return grant
}

/**
 * An agent's grant on a board.
 * @throws DomainError NOT_FOUND
 */
export async function readGrant(db: Db, of: OfAgent): Promise<GrantsTable> {
  const grant = await findGrant(db, of)
  if (grant === undefined) throw notFound('grant', of.agent_id)
  return grant
}

/** A grant as answered. */
export const grantOf = (row: GrantsTable) => ({
  ...row,
  permission_overrides: parseNullable(row.permission_overrides),
})

/** Gives an agent a grant on a board. */
export async function addGrant(
  ctx: Context,
  { agent_id, board_id }: OfAgent,
  overrides: Flags | null,
): Promise<GrantsTable> {
  const grant: GrantsTable = {
    id: ctx.newId(),
    agent_id,
    board_id,
    granted_by: ctx.caller.id,
    granted_at: ctx.now(),
    permission_overrides: toJson(overrides),
  }
  await insertRow(ctx.db, 'grants', grant)
  await recordGrant(ctx, 'agent_granted', grant)
  return grant
}

/** Removes a grant, and everything that depends on visibility of the board. */
export async function removeGrant(ctx: Context, grant: GrantsTable): Promise<void> {
  await ctx.db.deleteFrom('grants').where('id', '=', grant.id).execute()
  await recordGrant(ctx, 'agent_revoked', grant)
  await endUnseenClaims(ctx, grant.agent_id, grant.board_id)
}

/** Appends an entry about a grant to the board's activity (access 14). */
export const recordGrant = (ctx: Context, action: string, grant: GrantsTable): Promise<void> => {
  const { agent_id, permission_overrides } = grantOf(grant)
  return ctx.record({
    boardId: grant.board_id,
    entity: { type: 'board', id: grant.board_id },
    activity: { action, details: { agent_id, permission_overrides } },
  })
}

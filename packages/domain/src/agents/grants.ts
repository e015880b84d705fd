import type { features } from '@specboard/contract'
import { checkedFlags, type Flags } from '../access/base.ts'
import type { Context } from '../context.ts'
import { blocked } from '../errors.ts'
import type { Implementation } from '../implement.ts'
import { parseNullable, toJson } from '../json.ts'
import type { Db } from '../storage/executor.ts'
import { hot } from '../storage/hot.ts'
import { insertRow } from '../storage/rows.ts'
import type { GrantsTable } from '../storage/schema.ts'

type Agents = typeof features.agents

const grantByAgent = hot<{ agent: string; board: string }, GrantsTable>((db, param) =>
  db.selectFrom('grants').selectAll().where('agent_id', '=', param('agent')).where('board_id', '=', param('board')),
)

async function findGrant(db: Db, agent: string, board: string): Promise<GrantsTable | undefined> {
  const [grant] = await grantByAgent(db, { agent, board })
  return grant
}

const grantOf = (row: GrantsTable) => ({
  ...row,
  permission_overrides: parseNullable<Record<string, boolean>>(row.permission_overrides),
})

/** Gives an agent that the caller sees access to a board. */
export const grantBoardAccess: Implementation<Agents['grant_board_access']> = async ({ params, body }, ctx) => {
  const { agent_id, board_id } = params
  const overrides = checkedOverrides(body.permission_overrides ?? null)
  if ((await findGrant(ctx.db, agent_id, board_id)) !== undefined) {
    throw blocked('ALREADY_GRANTED', 'The agent has access to this board. PATCH the same path to change it.', {
      agent_id,
      board_id,
    })
  }
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
  return grantOf(grant)
}

const checkedOverrides = (overrides: Flags | null): Flags | null =>
  overrides === null ? null : checkedFlags('permission_overrides', overrides)

/** Appends an entry about a grant to the board's activity. */
const recordGrant = (ctx: Context, action: string, grant: GrantsTable): Promise<void> => {
  const { agent_id, permission_overrides } = grantOf(grant)
  return ctx.record({
    boardId: grant.board_id,
    entity: { type: 'board', id: grant.board_id },
    activity: { action, details: { agent_id, permission_overrides } },
  })
}

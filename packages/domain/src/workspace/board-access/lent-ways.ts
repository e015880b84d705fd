/** Access to boards that a person lent an agent, which ends, narrows and widens with the person's own (people 3.5). */
import type { BoardReach } from '../../kernel/access/access.ts'
import { waysOf } from '../../kernel/access/boards.ts'
import type { Context } from '../../kernel/context.ts'
import { toJson } from '../../lib/json.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { LentWaysTable } from '../../schema/tables.ts'
import { addGrant, findGrant, recordGrant, removeGrant } from './grants.ts'
import { addShare, changeShare, findShare, removeShare } from './shares.ts'

/** Gives an agent access to each board in the same way as a person. */
export async function lendAccess(ctx: Context, agent_id: string, personId: string, way: BoardReach): Promise<void> {
  const board_id = way.boardId
  const lent = { agent_id, person_id: personId, board_id }
  if (way.owner || way.grant) {
    const grant = await addGrant(ctx, { agent_id, board_id }, way.owner ? null : way.overrides)
    return insertRow(ctx.db, 'lent_ways', { way_id: grant.id, ...lent })
  }
  const share = await addShare(ctx, { board_id, user_id: agent_id, permission: way.share!, shared_by: personId })
  return insertRow(ctx.db, 'lent_ways', { way_id: share.id, ...lent })
}

const lentBy = hot<{ person: string; board: string }, LentWaysTable>((db, param) =>
  db
    .selectFrom('lent_ways')
    .selectAll()
    .where('person_id', '=', param('person'))
    .where('board_id', '=', param('board')),
)

/** Updates the access that somebody lent after their own has changed. Returns at once for somebody who lent none. */
export async function followLent(ctx: Context, personId: string, boardId: string): Promise<void> {
  const lent = await lentBy(ctx.db, { person: personId, board: boardId })
  if (lent.length === 0) return
  const own = (await waysOf(ctx.db, personId)).find(way => way.boardId === boardId)
  for (const { way_id, agent_id } of lent) {
    const grant = await findGrant(ctx.db, { agent_id, board_id: boardId })
    const share = await findShare(ctx.db, boardId, agent_id)
    const level = own === undefined || own.owner || own.grant ? null : own.share
    const overrides = own?.owner === true ? null : toJson(own?.overrides ?? null)
    const isGrant = grant?.id === way_id
    const isShare = share?.id === way_id
    // The person's own access is of another kind now, or gone: the lent access is removed, and any new one is lent.
    if (own === undefined || (isGrant && level !== null) || (isShare && level === null)) {
      await ctx.db.deleteFrom('lent_ways').where('way_id', '=', way_id).execute()
      if (isGrant) await removeGrant(ctx, grant)
      if (isShare) await removeShare(ctx, share)
      if (own !== undefined) await lendAccess(ctx, agent_id, personId, own)
    } else if (isGrant && grant.permission_overrides !== overrides) {
      await updateRow(ctx.db, 'grants', grant.id, { permission_overrides: overrides })
      await recordGrant(ctx, 'agent_access_updated', { ...grant, permission_overrides: overrides })
    } else if (isShare && level !== null && share.permission !== level) {
      await changeShare(ctx, share, level)
    }
  }
}

import { type Permission, permissionNames } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { Access, kindOf, type ShareLevel } from '../../kernel/access/access.ts'
import type { Context } from '../../kernel/context.ts'

/** A board that the caller sees, and which of its own permissions it lacks there. */
export interface BoardRights {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly access: 'owner' | 'grant' | 'share'
  readonly share_permission: ShareLevel | null
  readonly lacks: readonly Permission[]
}

/** Every board that the caller sees, with the permissions that it lacks there, by name. */
export async function boardRights(ctx: Context): Promise<BoardRights[]> {
  const ways = new Map((await ctx.ways()).map(way => [way.boardId, way]))
  const boards = await ctx.db
    .selectFrom('boards')
    .select(['id', 'key', 'name'])
    .where(eb => dialect.inList(eb.ref('id'), JSON.stringify([...ways.keys()])))
    .orderBy('name')
    .orderBy('id')
    .execute()
  const own = permissionNames.filter(name => new Access(ctx.caller.base, null).allows(name))
  return boards.map(board => {
    const way = ways.get(board.id)!
    const access = new Access(ctx.caller.base, way)
    const lacks = own.filter(name => !access.allows(name))
    return { ...board, access: kindOf(way), share_permission: way.share, lacks }
  })
}

/** How many cards the caller holds, on all boards that it sees. */
export async function heldCards(ctx: Context): Promise<number> {
  const boards = JSON.stringify((await ctx.ways()).map(way => way.boardId))
  const row = await ctx.db
    .selectFrom('claims')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('agent_id', '=', ctx.caller.id)
    .where('expires_at', '>', ctx.now())
    .where(eb => dialect.inList(eb.ref('board_id'), boards))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

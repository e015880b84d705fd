import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'

/** A board that an agent is on. */
interface BoardName {
  readonly id: string
  readonly key: string
  readonly name: string
}

interface OnBoard extends BoardName {
  readonly agent_id: string
}

const onBoards = hot<{ agents: string; boards: string }, OnBoard>((_, param) => {
  const among = (column: string) => dialect.inList(sql.ref(column), param('agents'))
  const visible = dialect.inList(sql.ref('b.id'), param('boards'))
  return sql<OnBoard>`select b.owner_id as agent_id, b.id, b.key, b.name from boards b
      where ${among('b.owner_id')} and ${visible}
    union all select g.agent_id, b.id, b.key, b.name from grants g join boards b on b.id = g.board_id
      where ${among('g.agent_id')} and ${visible}
    union all select s.user_id as agent_id, b.id, b.key, b.name from shares s join boards b on b.id = s.board_id
      where ${among('s.user_id')} and ${visible}`
})

/** The boards that agents are on, by agent and in order of their keys, as far as the caller sees them (people 3.5, access 8.2). */
export async function boardsOfAgents(
  ctx: Context,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly BoardName[]>> {
  const boardIds = (await ctx.ways()).map(({ boardId }) => boardId)
  const rows = await onBoards(ctx.db, { agents: JSON.stringify(agentIds), boards: JSON.stringify(boardIds) })
  const byAgent = Map.groupBy(rows, ({ agent_id }) => agent_id)
  return new Map(
    [...byAgent].map(([agent, boards]) => {
      const byId = new Map(boards.map(({ id, key, name }) => [id, { id, key, name }] as const))
      return [agent, [...byId.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))] as const
    }),
  )
}

/** The keys of the boards that agents are on, by agent and in order, as far as the caller sees these boards (crew 7). */
export const boardKeysOf = async (
  ctx: Context,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> =>
  new Map([...(await boardsOfAgents(ctx, agentIds))].map(([id, boards]) => [id, boards.map(({ key }) => key)] as const))

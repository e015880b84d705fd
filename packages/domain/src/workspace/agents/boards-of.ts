import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'

interface OnBoard {
  readonly agent_id: string
  readonly key: string
}

const onBoards = hot<{ agents: string; boards: string }, OnBoard>((_, param) => {
  const among = (column: string) => dialect.inList(sql.ref(column), param('agents'))
  const seen = dialect.inList(sql.ref('b.id'), param('boards'))
  return sql<OnBoard>`select b.owner_id as agent_id, b.key from boards b where ${among('b.owner_id')} and ${seen}
    union all select g.agent_id, b.key from grants g join boards b on b.id = g.board_id
      where ${among('g.agent_id')} and ${seen}
    union all select s.user_id as agent_id, b.key from shares s join boards b on b.id = s.board_id
      where ${among('s.user_id')} and ${seen}`
})

/** The keys of the boards that agents are on, by agent and in order, as far as the caller sees these boards (crew 7). */
export async function boardKeysOf(
  ctx: Context,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const seen = (await ctx.ways()).map(({ boardId }) => boardId)
  const rows = await onBoards(ctx.db, { agents: JSON.stringify(agentIds), boards: JSON.stringify(seen) })
  const byAgent = Map.groupBy(rows, ({ agent_id }) => agent_id)
  return new Map(
    [...byAgent].map(([id, boards]) => [id, [...new Set(boards.map(({ key }) => key))].toSorted()] as const),
  )
}

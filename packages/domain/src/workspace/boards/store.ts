import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { readCardsOfBoard } from '../../delivery/cards/whole-card.ts'
import { type BoardReach, kindOf } from '../../kernel/access/access.ts'
import { settingsOf } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { type Paging, window } from '../../kernel/page.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { BoardsTable, CountedKind } from '../../schema/tables.ts'
import { agentSummary, basesOf, boardAgents } from '../agents/store.ts'

type BoardRow = Omit<BoardsTable, 'seq' | 'last_number'>

const boardFields = (row: BoardRow) => ({
  id: row.id,
  key: row.key,
  name: row.name,
  description: row.description,
  owner_id: row.owner_id,
  realm_id: '' as const,
  settings: settingsOf(row.settings),
  created_at: row.created_at,
  updated_at: row.updated_at,
})

const boardById = hot<{ id: string }, BoardsTable>((db, param) =>
  db.selectFrom('boards').selectAll().where('id', '=', param('id')),
)

/** A board's own fields. */
export async function readBoard(db: Db, id: string) {
  const [row] = await boardById(db, { id })
  if (row === undefined) throw notFound('board', id)
  return boardFields(row)
}

/** A board with those of its cards and granted agents that the caller may read. */
export async function readWholeBoard(ctx: Context) {
  const { db, boardId: id, access } = ctx
  const agents = access.allows('AGENTS_READ') ? await boardAgents.rows(db, { board: id, ...window({}) }) : []
  const base = await basesOf(db, agents)
  return {
    ...(await readBoard(db, id)),
    cards: await readCardsOfBoard(ctx, id),
    agents: agents.map(agent => agentSummary(agent, base(agent))),
  }
}

type ListRow = BoardRow & { card_count: number; spec_count: number }

const counted = (kind: CountedKind) =>
  sql`(select coalesce(sum(count), 0) from list_counts c where c.board_id = b.id and c.kind = ${sql.lit(kind)}
    and c.archived = 0)`

const listed = hot<{ boards: string; limit: number; offset: number }, ListRow>(
  (_, param) =>
    sql<ListRow>`select b.id, b.key, b.name, b.description, b.owner_id, b.settings, b.created_at, b.updated_at,
        ${counted('card')} as card_count, ${counted('spec')} as spec_count
      from (select id, key, name, description, owner_id, settings, created_at, updated_at from boards
        where ${dialect.inList(sql.ref('id'), param('boards'))}
        order by updated_at desc, id desc limit ${param('limit')} offset ${param('offset')}) b
      order by b.updated_at desc, b.id desc`,
)

/** A page of the boards that `ways` give access to, latest change first. */
export async function listBoards(db: Db, ways: readonly BoardReach[], paging: Paging) {
  const wayTo = new Map(ways.map(way => [way.boardId, way]))
  const rows = await listed(db, { boards: JSON.stringify([...wayTo.keys()]), ...window(paging) })
  const items = rows.map(({ card_count, spec_count, ...row }) => ({
    ...boardFields(row),
    card_count,
    spec_count,
    access: kindOf(wayTo.get(row.id)!),
  }))
  return { items, total: ways.length }
}

const ownedCount = hot<{ owner: string }, { count: number }>((db, param) =>
  db
    .selectFrom('boards')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', param('owner')),
)

/** How many boards an agent owns. */
export const countBoardsOf = async (db: Db, owner: string): Promise<number> =>
  (await ownedCount(db, { owner }))[0]!.count

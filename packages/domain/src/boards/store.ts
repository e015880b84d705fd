import { sql } from 'kysely'
import type { Access } from '../access/access.ts'
import { agentSummary, boardAgents } from '../agents/store.ts'
import { readCardsOfBoard } from '../cards/store.ts'
import { notFound } from '../errors.ts'
import type { Page, Paging } from '../page.ts'
import { paged, window } from '../page.ts'
import type { Db } from '../storage/executor.ts'
import { hot } from '../storage/hot.ts'
import type { BoardsTable } from '../storage/schema.ts'
import { settingsOf } from './settings.ts'

const boardFields = (row: Omit<BoardsTable, 'seq'>) => ({
  id: row.id,
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

/** A board with what the caller may read of its cards and granted agents. */
export async function readWholeBoard(db: Db, id: string, access: Access) {
  const agents = access.allows('AGENTS_READ') ? await boardAgents.rows(db, { board: id, ...window({}) }) : []
  return {
    ...(await readBoard(db, id)),
    cards: await readCardsOfBoard(db, id, access),
    agents: agents.map(agentSummary),
  }
}

/** Which of an agent's boards a list shows: `my` owned, `shared` granted or shared, `all` both. */
export type View = 'my' | 'shared' | 'all'

type ListRow = Omit<BoardsTable, 'seq'> & { card_count: number; spec_count: number; owned: 0 | 1; granted: 0 | 1 }

interface ListParameters {
  agent: string
  view: View
  limit: number
  offset: number
}

const visible = (param: (name: 'agent' | 'view') => string) => sql`
  from boards b left join grants g on g.board_id = b.id and g.agent_id = ${param('agent')}
  left join shares s on s.board_id = b.id and s.user_id = ${param('agent')}
  where case ${param('view')} when 'my' then b.owner_id = ${param('agent')}
    when 'shared' then b.owner_id <> ${param('agent')} and (g.id is not null or s.id is not null)
    else b.owner_id = ${param('agent')} or g.id is not null or s.id is not null end`

const listed = hot<ListParameters, ListRow>((db, param) => ({
  compile: () =>
    sql<ListRow>`select b.id, b.name, b.description, b.owner_id, b.settings, b.created_at, b.updated_at,
      (select count(*) from cards where cards.board_id = b.id and cards.archived = 0) as card_count,
      (select count(*) from specs where specs.board_id = b.id and specs.archived = 0) as spec_count,
      case when b.owner_id = ${param('agent')} then 1 else 0 end as owned,
      case when g.id is null then 0 else 1 end as granted
      ${visible(param)} order by b.updated_at desc, b.id desc limit ${param('limit')} offset ${param('offset')}`.compile(
      db,
    ),
}))

const counted = hot<{ agent: string; view: View }, { count: number }>((db, param) => ({
  compile: () => sql<{ count: number }>`select count(*) as count ${visible(param)}`.compile(db),
}))

/** The boards that an agent sees, last changed first. */
export async function listBoards(
  db: Db,
  agent: string,
  view: View,
  paging: Paging,
): Promise<Page<ReturnType<typeof listItem>>> {
  const rows = await listed(db, { agent, view, ...window(paging) })
  return paged(rows, paging, async () => (await counted(db, { agent, view }))[0]!.count, listItem)
}

const listItem = ({ owned, granted, card_count, spec_count, ...row }: ListRow) => ({
  ...boardFields(row),
  card_count,
  spec_count,
  access: owned === 1 ? ('owner' as const) : granted === 1 ? ('grant' as const) : ('share' as const),
})

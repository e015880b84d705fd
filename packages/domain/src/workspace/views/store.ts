import { type SqlBool, sql } from 'kysely'
import { type Paging, paged, window } from '../../kernel/page.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { AgentsTable, SavedViewsTable } from '../../schema/tables.ts'

/** A view with the name of whoever saved it. */
export type ViewRow = SavedViewsTable & { owner_name: AgentsTable['name'] }

const withOwner = (db: Db) =>
  db
    .selectFrom('saved_views')
    .innerJoin('agents', 'agents.id', 'saved_views.owner_id')
    .selectAll('saved_views')
    .select('agents.name as owner_name')

const byId = hot<{ id: string }, ViewRow>((db, param) => withOwner(db).where('saved_views.id', '=', param('id')))

/** A view by its id; undefined when there is none. */
export const findView = async (db: Db, id: string): Promise<ViewRow | undefined> => (await byId(db, { id }))[0]

/** Selects the shared views, and those of an agent. */
const seenBy = (agent: string) => sql<SqlBool>`(saved_views.shared = 1 or saved_views.owner_id = ${agent})`

const ofBoard = hot<{ board: string; agent: string; limit: number; offset: number }, ViewRow>((db, param) =>
  withOwner(db)
    .where('saved_views.board_id', '=', param('board'))
    .where(seenBy(param('agent')))
    .orderBy('saved_views.name')
    .orderBy('saved_views.id')
    .limit(param('limit'))
    .offset(param('offset')),
)

const countOfBoard = hot<{ board: string; agent: string }, { count: number }>((db, param) =>
  db
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board'))
    .where(seenBy(param('agent'))),
)

/** A page of the views of a board that an agent sees, by name. */
export async function listViews(db: Db, of: { readonly board: string; readonly agent: string }, paging: Paging) {
  const rows = await ofBoard(db, { ...of, ...window(paging) })
  return paged(rows, paging, async () => (await countOfBoard(db, of))[0]!.count, viewOf)
}

/** How many views of a board are shared. */
export const countShared = hot<{ board: string }, { count: number }>((db, param) =>
  db
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board'))
    .where('shared', '=', sql.lit(1)),
)

/** The number of views of a board that an agent keeps to itself. */
export const countOwn = hot<{ board: string; agent: string }, { count: number }>((db, param) =>
  db
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', param('agent'))
    .where('board_id', '=', param('board'))
    .where('shared', '=', sql.lit(0)),
)

/** A view as callers see it. */
export const viewOf = ({ shared, ...row }: ViewRow) => ({ ...row, shared: shared === 1 })

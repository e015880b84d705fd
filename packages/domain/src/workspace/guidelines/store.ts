import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { type Page, type Paging, paged, window } from '../../kernel/page.ts'
import { parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { GuidelinesTable } from '../../schema/tables.ts'

/** A guideline, parsed. `priority` is only that of an inline guideline on its board. */
export type GuidelineRecord = ReturnType<typeof recordOf>

const recordOf = (row: GuidelinesTable) => ({ ...row, tags: parseNullable(row.tags) })

/** A guideline as answered (planning 2.1). */
export const guidelineOf = ({ priority, ...guideline }: GuidelineRecord) => guideline

const byId = hot<{ id: string }, GuidelinesTable>((db, param) =>
  db.selectFrom('guidelines').selectAll().where('id', '=', param('id')),
)

/** A guideline by id; does not check who may see it. */
export async function findGuideline(db: Db, id: string): Promise<GuidelineRecord | undefined> {
  const [row] = await byId(db, { id })
  return row === undefined ? undefined : recordOf(row)
}

/** The condition for guidelines with exactly this tag; null for any. */
const tagged = (tag: string | null, tags = sql.ref<string | null>('g.tags')) =>
  sql`(${tag} is null or exists (select 1 from ${dialect.jsonElements(tags)} own where own.value = ${tag}))`

interface OwnParameters {
  owner: string
  tag: string | null
  limit: number
  offset: number
}

const ownCatalogue = (param: (name: 'owner' | 'tag') => string | null) =>
  sql`from guidelines g where g.owner_id = ${param('owner')} and g.scope = 'global' and ${tagged(param('tag'))}`

const ownRows = hot<OwnParameters, GuidelinesTable>(
  (_, param) =>
    sql<GuidelinesTable>`select g.* ${ownCatalogue(param)} order by g.created_at desc, g.id desc
      limit ${param('limit')} offset ${param('offset')}`,
)

const ownCount = hot<OwnParameters, { count: number }>(
  (_, param) => sql<{ count: number }>`select count(*) as count ${ownCatalogue(param)}`,
)

/** The global guidelines that an agent owns, newest first. */
export async function listCatalogue(db: Db, owner: string, tag: string | null, paging: Paging) {
  const parameters = { owner, tag, ...window(paging) }
  const rows = await ownRows(db, parameters)
  const count = async () => (await ownCount(db, parameters))[0]!.count
  return paged(rows, paging, count, row => guidelineOf(recordOf(row)))
}

interface BoardParameters {
  board: string
  tag: string | null
  limit: number
  offset: number
}

/** The linked global and the inline guidelines of a board, each once, with `in_force` (priority here) and `since`. */
const inForce = (param: (name: 'board' | 'tag') => string | null): RawBuilder<unknown> =>
  sql`from (
    select g.*, l.priority as in_force, l.created_at as since
      from board_guidelines l join guidelines g on g.id = l.guideline_id where l.board_id = ${param('board')}
    union all
    select g.*, g.priority as in_force, g.created_at as since
      from guidelines g where g.board_id = ${param('board')} and g.scope = 'inline'
  ) g where ${tagged(param('tag'))}`

const boardRows = hot<BoardParameters, GuidelinesTable & { in_force: number; since: string }>(
  (_, param) =>
    sql<GuidelinesTable & { in_force: number; since: string }>`select g.* ${inForce(param)}
      order by g.in_force, g.scope, g.since, g.id limit ${param('limit')} offset ${param('offset')}`,
)

const boardCount = hot<BoardParameters, { count: number }>(
  (_, param) => sql<{ count: number }>`select count(*) as count ${inForce(param)}`,
)

const boardGuidelineOf = ({ in_force, since, ...row }: GuidelinesTable & { in_force: number; since: string }) => ({
  id: row.id,
  guideline: guidelineOf(recordOf(row)),
  priority: in_force,
  scope: row.scope,
})

/** The guidelines in force on a board, ordered by priority, then global before inline, then by time of linking. */
export async function listInForce(
  db: Db,
  board: string,
  tag: string | null,
  paging: Paging,
): Promise<Page<ReturnType<typeof boardGuidelineOf>>> {
  const parameters = { board, tag, ...window(paging) }
  const rows = await boardRows(db, parameters)
  const count = async () => (await boardCount(db, parameters))[0]!.count
  return paged(rows, paging, count, boardGuidelineOf)
}

const linkOf = hot<{ board: string; guideline: string }, { id: string; priority: number }>((db, param) =>
  db
    .selectFrom('board_guidelines')
    .select(['id', 'priority'])
    .where('board_id', '=', param('board'))
    .where('guideline_id', '=', param('guideline')),
)

/** The link of a global guideline to a board. */
export const findLink = async (db: Db, board: string, guideline: string) => (await linkOf(db, { board, guideline }))[0]

const concerned = hot<{ id: string }, { board_id: string }>(
  (_, param) =>
    sql<{ board_id: string }>`select board_id from board_guidelines where guideline_id = ${param('id')}
      union all select board_id from guidelines where id = ${param('id')} and scope = 'inline'
      order by board_id`,
)

/** The boards on which a guideline is in force: its own when it is inline, otherwise those that link it. */
export const boardsConcerned = async (db: Db, id: string): Promise<string[]> =>
  (await concerned(db, { id })).map(row => row.board_id)

/** The part of the index that a caller may search (board 4). */
import { type Permission, SearchKind } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { Access } from '../../kernel/access/access.ts'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'
import type { SearchedKind } from '../../schema/tables.ts'

/** The permissions without which no record of a kind is found; questions belong to four kinds of record. */
const readingOf: Readonly<Record<SearchedKind, readonly Permission[]>> = {
  ideation: ['IDEATIONS_READ'],
  refinement: ['REFINEMENTS_READ'],
  spec: ['SPECS_READ'],
  sprint: ['SPRINTS_READ'],
  card: ['CARDS_READ'],
  architecture: ['ARCHITECTURE_READ'],
  knowledge: ['KNOWLEDGE_READ'],
  guideline: ['GUIDELINES_READ'],
  comment: ['COMMENTS_READ', 'CARDS_READ'],
  question: ['QA_READ', 'IDEATIONS_READ', 'REFINEMENTS_READ', 'SPECS_READ', 'CARDS_READ'],
  change: ['CHANGES_READ'],
  conclusion: ['CARDS_READ_CONCLUSIONS', 'CARDS_READ'],
}

/** Whether records of a kind may be found with an access. */
export const mayFind = (access: Access, kind: SearchedKind): boolean =>
  readingOf[kind].every(permission => access.allows(permission))

const placesOf = hot<{ boards: string }, { place: number; board_id: string; kind: SearchedKind }>((db, param) =>
  db
    .selectFrom('search_places')
    .selectAll()
    .where(eb => dialect.inList(eb.ref('board_id'), param('boards'))),
)

/** Global guidelines that the caller owns or that are linked to one of the boards. */
const guidelinesOf = hot<{ caller: string; boards: string }, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`select id from guidelines where owner_id = ${param('caller')} and scope = 'global'
      union select guideline_id from board_guidelines
        where ${dialect.inList(sql.ref('board_id'), param('boards'))}`,
)

/** The searched boards, by id, and their part of the index. */
export interface Reach {
  readonly boards: ReadonlyMap<string, Access>
  readonly places: readonly number[]
  readonly guidelines: readonly string[]
}

/**
 * The records of these kinds that a search may find on the named boards, otherwise on all that the caller sees, and
 * outside boards.
 */
export async function reachOf(
  ctx: Context,
  named: readonly string[] | undefined,
  kinds: readonly SearchedKind[] = SearchKind.options,
): Promise<Reach> {
  const boards = named === undefined ? await visibleBoards(ctx) : await namedBoards(ctx, named)
  const found = await placesOf(ctx.db, { boards: JSON.stringify([...boards.keys()]) })
  const places = found.filter(({ board_id, kind }) => kinds.includes(kind) && mayFind(boards.get(board_id)!, kind))
  return {
    boards,
    places: places.map(({ place }) => place),
    guidelines: named === undefined && kinds.includes('guideline') ? await globalGuidelines(ctx, boards) : [],
  }
}

const visibleBoards = async (ctx: Context) =>
  new Map((await ctx.ways()).map(way => [way.boardId, new Access(ctx.caller.base, way)]))

async function namedBoards(ctx: Context, ids: readonly string[]) {
  const boards = new Map<string, Access>()
  for (const id of new Set(ids)) boards.set(id, (await ctx.reach('board', id)).access)
  return boards
}

/**
 * For the caller's own guidelines, the permission must be in its base; for linked ones, it must be held on the board.
 */
async function globalGuidelines(ctx: Context, boards: ReadonlyMap<string, Access>): Promise<string[]> {
  const readable = [...boards].filter(([, access]) => mayFind(access, 'guideline')).map(([id]) => id)
  const own = mayFind(ctx.access, 'guideline')
  const rows = await guidelinesOf(ctx.db, { caller: own ? ctx.caller.id : '', boards: JSON.stringify(readable) })
  return rows.map(({ id }) => id)
}

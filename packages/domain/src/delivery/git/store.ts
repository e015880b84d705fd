/** Changes as they are stored (git 3). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { notFound } from '../../kernel/errors.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import { isPlacedBefore } from '../../planning/proof/placed-before.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import type { BranchCommitsTable, ChangeLinksTable, ChangesTable } from '../../schema/tables.ts'

type Kind = ChangesTable['kind']

const byId = hot<{ id: string }, ChangesTable>((db, param) =>
  db.selectFrom('changes').selectAll().where('id', '=', param('id')),
)

const byKey = hot<OnBoard & { kind: string; key: string }, ChangesTable>((db, param) =>
  db
    .selectFrom('changes')
    .selectAll()
    .where('repository_id', '=', param('id'))
    .where(onBoard('changes', param('board_id')))
    .where('kind', '=', sql<Kind>`${param('kind')}`)
    .where('key', '=', param('key')),
)

const byPatch = hot<OnBoard & { patch: string }, ChangesTable>((db, param) =>
  db
    .selectFrom('changes')
    .selectAll()
    .where('repository_id', '=', param('id'))
    .where(onBoard('changes', param('board_id')))
    .where('patch_id', '=', sql<string>`${param('patch')}`)
    .where('patch_id', 'is not', null),
)

/**
 * A change by id.
 * @throws DomainError NOT_FOUND
 */
export async function readChange(db: Db, id: string): Promise<ChangesTable> {
  const row = await changeWithId(db, id)
  if (row === undefined) throw notFound('change', id)
  return row
}

/** A change of a repository by its identity; undefined if unknown. */
export const findChange = async (
  db: Db,
  { id, board_id }: OnBoard,
  kind: Kind,
  key: string,
): Promise<ChangesTable | undefined> => (await byKey(db, { id, board_id, kind, key }))[0]

/** The repository of a change. */
export const repositoryOf = ({ repository_id, board_id }: ChangesTable): OnBoard => ({ id: repository_id, board_id })

/** The commits of a repository with the same patch. */
export const changesWithPatch = (db: Db, { id, board_id }: OnBoard, patch: string): Promise<ChangesTable[]> =>
  byPatch(db, { id, board_id, patch })

/** The existing branches of a repository. */
export const branchesOf = (db: Db, { id, board_id }: OnBoard): Promise<ChangesTable[]> =>
  db
    .selectFrom('changes')
    .selectAll()
    .where('repository_id', '=', id)
    .where(onBoard('changes', board_id))
    .where('kind', '=', sql.lit('branch'))
    .where('state', '<>', 'deleted')
    .execute()

/** A change by id; undefined if there is none. */
export const changeWithId = async (db: Db, id: string): Promise<ChangesTable | undefined> => (await byId(db, { id }))[0]

const membership = hot<{ branch: string; commit: string }, { commit_id: string }>((db, param) =>
  db
    .selectFrom('branch_commits')
    .select('commit_id')
    .where('branch_id', '=', param('branch'))
    .where('commit_id', '=', param('commit')),
)

const holders = hot<OnBoard, { branch_id: string }>((db, param) =>
  db
    .selectFrom('branch_commits as b')
    .innerJoin('changes as c', 'c.id', 'b.branch_id')
    .where(sameBoard('c', 'b'))
    .select('b.branch_id')
    .where('b.commit_id', '=', param('id'))
    .where(onBoard('b', param('board_id')))
    .where('c.kind', '=', sql.lit('branch')),
)

/** Whether a branch or pull request contains a commit. */
export const holds = async (db: Db, branch: string, commit: string): Promise<boolean> =>
  (await membership(db, { branch, commit })).length > 0

/** The ids of the branches that contain a commit. */
export const branchesHolding = async (db: Db, commit: OnBoard): Promise<string[]> =>
  (await holders(db, commit)).map(({ branch_id }) => branch_id)

/** Maximum number of commits that a new branch takes over by their places on another one. */
const maxBehind = 2_000

const behind = hot<OnBoard, { key: string }>(
  (_, param) => sql<{ key: string }>`select c.key from (select h.* from branch_commits h
      where h.commit_id = ${param('id')} and ${onBoard('h', param('board_id'))} and h.placed_at is not null
      order by h.placed_at, h.branch_id limit 1) later
    join branch_commits earlier on earlier.branch_id = later.branch_id and ${sameBoard('earlier', 'later')}
    join changes c on c.id = earlier.commit_id and ${sameBoard('c', 'later')}
    where ${isPlacedBefore('earlier', 'later')}
    order by c.id desc limit ${sql.lit(maxBehind)}`,
)

/** The hashes of the commits before one, on the branch or in the pull request that held it first (git 3, rule 2). */
export const placedBehind = async (db: Db, { id, board_id }: OnBoard): Promise<string[]> =>
  (await behind(db, { id, board_id })).map(({ key }) => key)

/** The ids of the commits of a branch or pull request. */
export const commitsOn = async (db: Db, { id, board_id }: OnBoard): Promise<string[]> => {
  const rows = await db
    .selectFrom('branch_commits')
    .select('commit_id')
    .where('branch_id', '=', id)
    .where(onBoard('branch_commits', board_id))
    .execute()
  return rows.map(({ commit_id }) => commit_id)
}

/** Adds a commit to a branch that does not contain it. */
export const putOnBranch = (db: Db, row: BranchCommitsTable): Promise<void> => insertRow(db, 'branch_commits', row)

/** Removes commits from a branch. */
export const takeOffBranch = async (db: Db, { id, board_id }: OnBoard, commits: readonly string[]): Promise<void> => {
  await db
    .deleteFrom('branch_commits')
    .where('branch_id', '=', id)
    .where(onBoard('branch_commits', board_id))
    .where(eb => dialect.inList(eb.ref('commit_id'), toJson(commits)))
    .execute()
}

const links = hot<OnBoard, ChangeLinksTable>((db, param) =>
  db
    .selectFrom('change_links')
    .selectAll()
    .where('change_id', '=', param('id'))
    .where(onBoard('change_links', param('board_id'))),
)

/** All links of a change, including those that somebody undid. */
export const allLinksOf = (db: Db, change: OnBoard): Promise<ChangeLinksTable[]> => links(db, change)

/** Stores a link, or replaces the one between the two. */
export async function putLink(db: Db, link: ChangeLinksTable): Promise<void> {
  await db
    .insertInto('change_links')
    .values(link)
    .onConflict(conflict =>
      conflict.expression(dialect.keyOnBoard(['change_id', 'entity_id'])).doUpdateSet({
        how: link.how,
        is_undone: link.is_undone,
        linked_by: link.linked_by,
        linked_at: link.linked_at,
      }),
    )
    .execute()
  await noteLinked(db, { id: link.change_id, board_id: link.board_id })
}

/** Removes a link. */
export async function removeLink(db: Db, change: OnBoard, entity: string, now: string): Promise<void> {
  await db.deleteFrom('change_links').where('change_id', '=', change.id).where('entity_id', '=', entity).execute()
  // The time of a commit without a link begins anew (git 3, rule 6).
  await noteLinked(db, change, { updated_at: now })
}

async function noteLinked(
  db: Db,
  { id, board_id }: OnBoard,
  also: Partial<Pick<ChangesTable, 'updated_at'>> = {},
): Promise<void> {
  const some = await db
    .selectFrom('change_links')
    .select('entity_id')
    .where('change_id', '=', id)
    .where(onBoard('change_links', board_id))
    .where('is_undone', '=', 0)
    .limit(1)
    .execute()
  const linked = some.length === 0 ? ({ is_linked: 0 } as const) : ({ is_linked: 1, is_bare: 0 } as const)
  await updateRow(db, 'changes', id, { ...linked, ...also })
}

/** Orders changes, the newest first. */
export const newestFirst = (one: Pick<ChangesTable, 'happened_at' | 'id'>, other: typeof one): number =>
  `${one.happened_at} ${one.id}` < `${other.happened_at} ${other.id}` ? 1 : -1

/** The content that is specific to the kind of a change. */
export const contentOf = ({ content }: Pick<ChangesTable, 'content'>) => parseJson(content)

/** A record of a board that a reference names. */
export interface NumberedRecord {
  readonly type: ChangeLinksTable['entity_type']
  readonly id: string
  readonly number: number
}

const numbered = [
  ['ideation', 'ideations'],
  ['refinement', 'refinements'],
  ['spec', 'specs'],
  ['sprint', 'sprints'],
  ['card', 'cards'],
] as const

/** The records of a board with these numbers. */
export async function recordsByNumber(db: Db, board: string, numbers: readonly number[]): Promise<NumberedRecord[]> {
  if (numbers.length === 0) return []
  const numberList = sql.join(numbers)
  const parts = numbered.map(
    ([type, table]) => sql`select ${sql.lit(type)} as type, id, number from ${sql.table(table)}
      where board_id = ${board} and number in (${numberList})`,
  )
  return (await sql<NumberedRecord>`${sql.join(parts, sql` union all `)}`.execute(db)).rows
}

/** The current and former keys of a board. */
export async function keysOf(db: Db, board: string): Promise<ReadonlySet<string>> {
  const own = await db.selectFrom('boards').select('key').where('id', '=', board).execute()
  const former = await db.selectFrom('former_board_keys').select('key').where('board_id', '=', board).execute()
  return new Set([...own, ...former].map(({ key }) => key))
}

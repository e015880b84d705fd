/** Repositories as they are stored and shown (git 1). */
import { sql } from 'kysely'
import { invalid, notFound } from '../../kernel/errors.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { ChangesTable, RepositoriesTable } from '../../schema/tables.ts'
import { shownTrust } from './ci-trust.ts'

/** Maximum number of repositories of a board. */
export const maxRepositories = 100

/** Maximum number of branches that a repository shows. */
const maxBranches = 500

const byId = hot<{ id: string }, RepositoriesTable>((db, param) =>
  db.selectFrom('repositories').selectAll().where('id', '=', param('id')),
)

const ofBoard = hot<{ board: string }, RepositoriesTable>((db, param) =>
  db.selectFrom('repositories').selectAll().where('board_id', '=', param('board')).orderBy('name_key'),
)

/** Days for which a branch is shown after the last push to it. */
const shownDays = 180

type Branch = Pick<ChangesTable, 'key' | 'content'>

const branchesOf = hot<OnBoard & { since: string; limit: number }, Branch>((db, param) =>
  db
    .selectFrom('changes')
    .select(['key', 'content'])
    .where('repository_id', '=', param('id'))
    .where(onBoard('changes', param('board_id')))
    .where('kind', '=', sql.lit('branch'))
    .where('state', '<>', 'deleted')
    .where('happened_at', '>', param('since'))
    .orderBy('key')
    .limit(param('limit')),
)

/**
 * A repository by id.
 * @throws DomainError NOT_FOUND
 */
export async function readRepository(db: Db, id: string): Promise<RepositoriesTable> {
  const [row] = await byId(db, { id })
  if (row === undefined) throw notFound('repository', id)
  return row
}

/** The repositories of a board, by name. */
export const repositoriesOf = (db: Db, board: string): Promise<RepositoriesTable[]> => ofBoard(db, { board })

const dayMs = 86_400_000

/** The identity of a repository on its board, ignoring case. */
export const nameKeyOf = (name: string, prefix: string | null): string =>
  `${name.toLowerCase()} ${(prefix ?? '').toLowerCase()}`

const daysBefore = (now: string, days: number): string => new Date(Date.parse(now) - days * dayMs).toISOString()

/** The bad signatures of the last day, by hour. */
export const refusedOf = ({ refusals }: Pick<RepositoriesTable, 'refusals'>, now: string) => {
  const since = daysBefore(now, 1)
  return parseJson(refusals).filter(({ hour }) => hour > since)
}

/** The number of bad signatures of the last day. */
export const countRefused = (row: Pick<RepositoriesTable, 'refusals'>, now: string): number =>
  refusedOf(row, now).reduce((sum, { count }) => sum + count, 0)

/** A repository as callers see it. */
export async function shownRepository(db: Db, row: RepositoriesTable, now: string) {
  const branches = await branchesOf(db, {
    id: row.id,
    board_id: row.board_id,
    since: daysBefore(now, shownDays),
    limit: maxBranches,
  })
  return {
    id: row.id,
    board_id: row.board_id,
    name: row.name,
    url: row.url,
    forge: row.forge,
    default_branch: row.default_branch,
    path_prefix: row.path_prefix,
    recognise: parseJson(row.recognise),
    required_checks: parseJson(row.required_checks),
    require_signature: row.require_signature === 1,
    ci: shownTrust(row),
    active: row.active === 1,
    webhook_path: `/hooks/forge/${row.id}`,
    forge_id: row.forge_id,
    // For sync: the commits before the head of a branch with a gap are not known here.
    branches: branches.flatMap(({ key, content }) => {
      const { head, gap } = parseJson(content)
      return head === null || head === undefined || gap === true ? [] : [{ name: key, head }]
    }),
    synced_at: row.synced_at,
    last_delivery_at: row.last_delivery_at,
    refused_count: countRefused(row, now),
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/**
 * The repository on a board by id or name; by default the only one, if there is just one.
 * @throws DomainError VALIDATION_ERROR
 */
export async function repositoryOrOnly(
  db: Db,
  board: string,
  named: string | undefined,
): Promise<RepositoriesTable | undefined> {
  const all = await repositoriesOf(db, board)
  if (named === undefined) return all.length === 1 ? all[0] : undefined
  const found = all.find(({ id }) => id === named) ?? all.find(({ name }) => name.toLowerCase() === named.toLowerCase())
  if (found !== undefined) return found
  const names = all.map(({ name }) => name).slice(0, 20)
  const there = names.length === 0 ? 'It has none; create_repository adds one.' : `It has ${names.join(', ')}.`
  throw invalid('repository_id', `repository_id names no repository of this board. ${there}`)
}

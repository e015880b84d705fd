/** Repositories as they are stored and shown (git 1). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { notFound } from '../../kernel/errors.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { RepositoriesTable } from '../../schema/tables.ts'

/** The most repositories of a board. */
export const mostRepositories = 100

/** The most branches that a repository shows. */
const mostBranches = 500

const byId = hot<{ id: string }, RepositoriesTable>((db, param) =>
  db.selectFrom('repositories').selectAll().where('id', '=', param('id')),
)

const ofBoard = hot<{ board: string }, RepositoriesTable>((db, param) =>
  db.selectFrom('repositories').selectAll().where('board_id', '=', param('board')).orderBy('name_key'),
)

const branchesOf = hot<{ repository: string; limit: number }, { name: string; head: string | null }>((db, param) =>
  db
    .selectFrom('changes')
    .select(['key as name', dialect.jsonText(sql.ref('content'), 'head').as('head')])
    .where('repository_id', '=', param('repository'))
    .where('kind', '=', sql.lit('branch'))
    .where('state', '<>', 'deleted')
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

/** What tells a repository apart on its board, in any case. */
export const nameKeyOf = (name: string, prefix: string | null): string =>
  `${name.toLowerCase()} ${(prefix ?? '').toLowerCase()}`

/** A repository as callers see it. */
export async function shownRepository(db: Db, row: RepositoriesTable, now: string) {
  const since = new Date(Date.parse(now) - dayMs).toISOString()
  const branches = await branchesOf(db, { repository: row.id, limit: mostBranches })
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
    ci: null,
    active: row.active === 1,
    webhook_path: `/hooks/forge/${row.id}`,
    forge_id: row.forge_id,
    branches: branches.flatMap(({ name, head }) => (head === null ? [] : [{ name, head }])),
    synced_at: row.synced_at,
    last_delivery_at: row.last_delivery_at,
    refused_count: parseJson(row.refusals).reduce((sum, { hour, count }) => (hour > since ? sum + count : sum), 0),
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Changes as callers see them (git 3). */

import { pageOfChange } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import type { ChangeLinksTable, ChangesTable, RepositoriesTable } from '../../schema/tables.ts'
import { Authors } from './authors.ts'
import { summariesOf } from './checks.ts'
import { reviewOf } from './pull-requests.ts'
import { contentOf } from './store.ts'

/** A change with the name of its repository. */
export interface ChangeRow extends ChangesTable {
  repository: string
  default_branch: string
  repository_url: string
  forge: RepositoriesTable['forge']
}

interface LinkRow extends Pick<ChangeLinksTable, 'change_id' | 'entity_type' | 'how' | 'linked_by' | 'linked_at'> {
  id: string
  ref: string | null
  title: string
}

const tables = [
  ['ideation', 'ideations'],
  ['refinement', 'refinements'],
  ['spec', 'specs'],
  ['sprint', 'sprints'],
  ['card', 'cards'],
] as const

const linksOf = hot<{ board: string; changes: string }, LinkRow>((_, param) => {
  const parts = tables.map(
    ([
      type,
      table,
    ]) => sql`select l.change_id, l.entity_type, l.how, l.linked_by, l.linked_at, r.id, ${refOf('r')} as ref, r.title
      from change_links l join ${sql.table(table)} r on r.id = l.entity_id and ${sameBoard('r', 'l')}
      where ${dialect.inList(sql.ref('l.change_id'), param('changes'))} and ${onBoard('l', param('board'))} and l.is_undone = 0
        and l.entity_type = ${sql.lit(type)}`,
  )
  return sql<LinkRow>`${sql.join(parts, sql` union all `)}`
})

const branchNames = hot<{ board: string; changes: string }, { commit_id: string; name: string }>(
  (_, param) => sql<{ commit_id: string; name: string }>`select b.commit_id, c.key as name from branch_commits b
    join changes c on c.id = b.branch_id and ${sameBoard('c', 'b')} where c.kind = 'branch' and ${dialect.inList(sql.ref('b.commit_id'), param('changes'))}
      and ${onBoard('b', param('board'))}`,
)

interface BranchRequest {
  branch_id: string
  number: string
  state: ChangesTable['state']
}

const requestsOf = hot<{ board: string; changes: string }, BranchRequest>(
  (_, param) => sql<BranchRequest>`select b.id as branch_id, p.key as number, p.state from changes b
    join changes p on p.repository_id = b.repository_id and ${sameBoard('p', 'b')} and p.source_branch = b.key and p.source_branch is not null
    where b.kind = 'branch' and p.is_external = 0 and ${dialect.inList(sql.ref('b.id'), param('changes'))}
      and ${onBoard('b', param('board'))}`,
)

/** The number of the pull request of a branch: an open one, otherwise the newest. */
function requestOf(requests: readonly BranchRequest[]): number | null {
  const open = requests.filter(({ state }) => state === 'open')
  const numbers = (open.length > 0 ? open : requests).map(({ number }) => Number(number))
  return numbers.length === 0 ? null : Math.max(...numbers)
}

/** Changes of one board as callers see them, in the given order. */
export async function shownChanges(db: Db, board: string, rows: readonly ChangeRow[]) {
  const parameters = { board, changes: JSON.stringify(rows.map(({ id }) => id)) }
  const authors = await Authors.of(db, board)
  const links = Map.groupBy(await linksOf(db, parameters), ({ change_id }) => change_id)
  const branches = Map.groupBy(await branchNames(db, parameters), ({ commit_id }) => commit_id)
  const requests = Map.groupBy(await requestsOf(db, parameters), ({ branch_id }) => branch_id)
  const checks = await summariesOf(db, board, rows)
  return rows.map(row => {
    const signature = { name: row.author_name, email: row.author_email, login: row.author_login }
    const content = contentOf(row)
    return {
      id: row.id,
      board_id: row.board_id,
      repository_id: row.repository_id,
      repository: row.repository,
      kind: row.kind,
      title: row.title,
      url: pageOfChange({ url: row.repository_url, forge: row.forge }, row),
      state: row.state,
      author: authors.shown(signature, row.repository_id),
      co_authors: (content.co_authors ?? []).map(author =>
        authors.shown({ ...author, login: null }, row.repository_id),
      ),
      confirmed_by: row.confirmed_by,
      external: row.is_external === 1,
      checks: checks(row),
      files_changed: row.files_changed,
      additions: row.additions,
      deletions: row.deletions,
      created_at: row.created_at,
      updated_at: row.updated_at,
      links: (links.get(row.id) ?? [])
        .toSorted((one, other) => (one.linked_at + one.id < other.linked_at + other.id ? -1 : 1))
        .map(({ entity_type, id, ref, title, how, linked_by, linked_at }) => ({
          entity_type,
          id,
          ref,
          title,
          how,
          by: linked_by,
          at: linked_at,
        })),
      ...(row.kind === 'commit'
        ? commitOf(
            row,
            (branches.get(row.id) ?? []).map(({ name }) => name),
          )
        : row.kind === 'branch'
          ? branchOf(row, requestOf(requests.get(row.id) ?? []))
          : pullRequestOf(row)),
    }
  })
}

function commitOf(row: ChangeRow, branches: readonly string[]) {
  const content = contentOf(row)
  return {
    sha: row.key,
    body: content.body ?? null,
    tree: content.tree ?? null,
    parents: content.parents === undefined || content.parents === null ? null : [...content.parents],
    paths: content.paths === undefined || content.paths === null ? null : [...content.paths],
    authored_at: content.authored_at ?? null,
    committed_at: content.committed_at ?? null,
    branches: branches.toSorted(),
    merged_at: content.merged_at ?? null,
    rewritten_as: content.rewritten_as ?? null,
    merged_as: content.merged_as ?? null,
  }
}

function pullRequestOf(row: ChangeRow) {
  const content = contentOf(row)
  return {
    number: Number(row.key),
    body: content.body ?? null,
    draft: content.draft ?? false,
    source_branch: row.source_branch,
    target_branch: content.target_branch ?? null,
    head: row.head,
    merge_commit: row.merge_commit,
    merged_at: content.merged_at ?? null,
    merged_by: content.merged_by ?? null,
    review: reviewOf(content),
    queued: content.queued ?? false,
    commits: content.commits ?? null,
  }
}

function branchOf(row: ChangeRow, pull_request: number | null) {
  const content = contentOf(row)
  return {
    name: row.key,
    head: content.head ?? null,
    is_default: row.key === row.default_branch,
    gap: content.gap ?? false,
    last_push_at: content.last_push_at ?? null,
    pull_request,
  }
}

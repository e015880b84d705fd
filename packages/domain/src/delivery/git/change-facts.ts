/**
 * The facts about cards that the gates `change` and `checks` need: one query of each kind, however many cards there are
 * (git 6).
 */

import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import type { BranchCommitsTable, ChangeChecksTable, ChangesTable, RepositoriesTable } from '../../schema/tables.ts'
import { checksAtCommits, commitsChecked } from './checks.ts'
import { newestFirst } from './store.ts'

/** A change that is linked to a card, with facts about its repository. */
export interface LinkedChange extends ChangesTable {
  forge: RepositoriesTable['forge']
  repository_url: string
  required_checks: RepositoriesTable['required_checks']
  last_delivery_at: string | null
}

const linkedTo = hot<{ board: string; entities: string }, LinkedChange & { card: string }>(
  (_, param) => sql<LinkedChange & { card: string }>`select l.entity_id as card, c.*, r.forge,
      r.url as repository_url, r.required_checks, r.last_delivery_at
    from change_links l join changes c on c.id = l.change_id and ${sameBoard('c', 'l')} join repositories r on r.id = c.repository_id and ${sameBoard('r', 'c')}
    where ${dialect.inList(sql.ref('l.entity_id'), param('entities'))} and ${onBoard('l', param('board'))} and l.is_undone = 0
      and c.kind in ('commit', 'pull_request')`,
)

const commitsOf = hot<{ board: string; requests: string }, BranchCommitsTable>((db, param) =>
  db
    .selectFrom('branch_commits')
    .selectAll()
    .where(eb => dialect.inList(eb.ref('branch_id'), sql`${param('requests')}`))
    .where(onBoard('branch_commits', param('board'))),
)

const branchesOf = hot<{ board: string; commits: string }, BranchCommitsTable>(
  (_, param) => sql<BranchCommitsTable>`select o.* from branch_commits o
    join changes b on b.id = o.branch_id and ${sameBoard('b', 'o')}
    where ${dialect.inList(sql.ref('o.commit_id'), param('commits'))} and ${onBoard('o', param('board'))} and b.kind = 'branch'`,
)

interface ReportRow {
  repository_id: string
  commit_sha: string
  name: string
  outcome: string
  run_url: string | null
  seen_by: string | null
}

const reportsAt = hot<{ board: string; shas: string }, ReportRow>(
  (_, param) => sql<ReportRow>`select repository_id, commit_sha, name, outcome, run_url, seen_by from test_reports
    where board_id = ${param('board')} and ${dialect.inList(sql.ref('commit_sha'), param('shas'))} and tier = 'ci'
    order by attempt, created_at, id`,
)

/** A check, or a report that counts as one. */
export interface KnownCheck extends Pick<ChangeChecksTable, 'name' | 'kind' | 'suite' | 'state' | 'url' | 'seen_by'> {
  readonly isReport: boolean
}

/** The facts by which the changes of some cards are judged, read by one query of each kind. */
export interface KnownChanges {
  /** The linked changes of cards, newest first. */
  readonly linked: ReadonlyMap<string, readonly LinkedChange[]>
  /** The commits of pull requests that are not merged. */
  readonly commits: ReadonlyMap<string, readonly string[]>
  /** The places of commits on branches, by commit. */
  readonly branches: ReadonlyMap<string, readonly BranchCommitsTable[]>
  /** The checks at commits, by repository and sha. */
  readonly checks: ReadonlyMap<string, readonly KnownCheck[]>
}

const grouped = <Row>(rows: readonly Row[], keyOf: (row: Row) => string, itemOf: (row: Row) => string) =>
  new Map([...Map.groupBy(rows, keyOf)].map(([key, group]) => [key, group.map(itemOf)]))

/** The key of a commit in a repository. */
export const placeOf = (repository: string, sha: string): string => `${repository} ${sha}`

/**
 * The reports of pipelines at commits, as checks; the newest of each name. One in which no test ran is none: it passes
 * nothing and fails nothing (evidence 2, rule 7).
 */
async function reportChecks(db: Db, board: string, shas: string): Promise<ReadonlyMap<string, readonly KnownCheck[]>> {
  const rows = await reportsAt(db, { board, shas })
  const judging = rows.filter(({ outcome }) => outcome !== 'empty')
  const byPlace = Map.groupBy(judging, ({ repository_id, commit_sha }) => placeOf(repository_id, commit_sha))
  return new Map(
    [...byPlace].map(([place, reports]) => [
      place,
      [...new Map(reports.map(report => [report.name, report])).values()].map(
        ({ name, outcome, run_url, seen_by }) => ({
          name: `report/${name}`,
          kind: 'status' as const,
          suite: null,
          state: outcome === 'passed' ? ('success' as const) : ('failure' as const),
          url: run_url,
          seen_by,
          isReport: true,
        }),
      ),
    ]),
  )
}

/** The checks at commits of changes. */
async function checksOf(db: Db, board: string, changes: readonly LinkedChange[]): Promise<KnownChanges['checks']> {
  const shas = new Set(changes.flatMap(commitsChecked))
  if (shas.size === 0) return new Map()
  const checks = await checksAtCommits(db, board, [...shas])
  const byPlace = Map.groupBy(checks, ({ repository_id, sha }) => placeOf(repository_id, sha))
  const reports = await reportChecks(db, board, JSON.stringify([...shas]))
  return new Map(
    [...new Set([...byPlace.keys(), ...reports.keys()])].map(place => [
      place,
      [...(byPlace.get(place) ?? []).map(check => ({ ...check, isReport: false })), ...(reports.get(place) ?? [])],
    ]),
  )
}

/** Reads the facts by which the changes of a board's cards are judged. */
export async function knownOf(
  db: Db,
  board: string,
  cards: readonly string[],
  required: { changes: boolean; checks: boolean },
): Promise<KnownChanges> {
  const rows = cards.length === 0 ? [] : await linkedTo(db, { board, entities: JSON.stringify(cards) })
  const linked = new Map(
    [...Map.groupBy(rows, ({ card }) => card)].map(([card, changes]) => [card, changes.toSorted(newestFirst)]),
  )
  const idsOf = (kind: ChangesTable['kind'], isAsked: (change: LinkedChange) => boolean = () => true) =>
    rows.filter(change => change.kind === kind && isAsked(change)).map(({ id }) => id)
  const requests = required.changes ? idsOf('pull_request', ({ state }) => state !== 'merged') : []
  const commits = required.checks ? idsOf('commit') : []
  return {
    linked,
    commits: grouped(
      requests.length === 0 ? [] : await commitsOf(db, { board, requests: JSON.stringify(requests) }),
      ({ branch_id }) => branch_id,
      ({ commit_id }) => commit_id,
    ),
    branches: Map.groupBy(
      commits.length === 0 ? [] : await branchesOf(db, { board, commits: JSON.stringify(commits) }),
      ({ commit_id }) => commit_id,
    ),
    checks: required.checks ? await checksOf(db, board, rows) : new Map(),
  }
}

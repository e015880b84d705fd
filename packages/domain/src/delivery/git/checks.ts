/** Checks at commits, as forges report them (git 2, 3). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow } from '../../schema/rows.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { ChangeChecksTable, ChangesTable, RepositoriesTable } from '../../schema/tables.ts'
import { type CheckSummary, countedChecks, summaryOf } from './check-states.ts'
import { recordOnEntity } from './linking.ts'
import { requestsAt } from './pull-requests.ts'
import type { ReportedCheck } from './reported.ts'
import { allLinksOf, contentOf, findChange } from './store.ts'

const atCommit = hot<OnBoard & { sha: string }, ChangeChecksTable>((db, param) =>
  db
    .selectFrom('change_checks')
    .selectAll()
    .where('sha', '=', param('sha'))
    .where('repository_id', '=', param('id'))
    .where(onBoard('change_checks', param('board_id'))),
)

/** The checks at a commit. */
const checksAt = (db: Db, { id, board_id }: OnBoard, sha: string): Promise<ChangeChecksTable[]> =>
  atCommit(db, { id, board_id, sha })

const atCommits = hot<{ board: string; shas: string }, ChangeChecksTable>((db, param) =>
  db
    .selectFrom('change_checks')
    .selectAll()
    .where(eb => dialect.inList(eb.ref('sha'), param('shas')))
    .where(onBoard('change_checks', param('board'))),
)

/** The checks at commits of a board, whatever their repository. */
export const checksAtCommits = (db: Db, board: string, shas: readonly string[]): Promise<ChangeChecksTable[]> =>
  atCommits(db, { board, shas: JSON.stringify(shas) })

const patternsOf = hot<{ board: string; repositories: string }, Pick<RepositoriesTable, 'id' | 'required_checks'>>(
  (_, param) =>
    sql<Pick<RepositoriesTable, 'id' | 'required_checks'>>`select id, required_checks from repositories
    where ${dialect.inList(sql.ref('id'), param('repositories'))} and ${onBoard('repositories', param('board'))}`,
)

type CheckedChange = Pick<ChangesTable, 'repository_id' | 'kind' | 'key' | 'head' | 'merge_commit' | 'content'>

/** The commits at which a change is checked, the one that counts first (git 3). */
export function commitsChecked(change: CheckedChange): string[] {
  if (change.kind === 'commit') return [change.key]
  const head = change.kind === 'branch' ? (contentOf(change).head ?? null) : change.head
  return [change.merge_commit, head].filter(sha => sha !== null)
}

const none: CheckSummary = { state: 'none', total: 0, failing: [] }

/**
 * The combined state of the checks of changes of a board: for a pull request at its merge commit if any are known there, otherwise
 * at its head.
 */
export async function summariesOf(
  db: Db,
  board: string,
  changes: readonly CheckedChange[],
): Promise<(change: CheckedChange) => CheckSummary> {
  const shas = new Set(changes.flatMap(commitsChecked))
  const found = shas.size === 0 ? [] : await checksAtCommits(db, board, [...shas])
  if (found.length === 0) return () => none
  const repositories = JSON.stringify([...new Set(changes.map(({ repository_id }) => repository_id))])
  const patterns = new Map(
    (await patternsOf(db, { board, repositories })).map(({ id, required_checks }) => [id, parseJson(required_checks)]),
  )
  const byCommit = Map.groupBy(found, ({ repository_id, sha }) => `${repository_id} ${sha}`)
  return change => {
    const checks = commitsChecked(change)
      .map(sha => byCommit.get(`${change.repository_id} ${sha}`) ?? [])
      .find(all => all.length > 0)
    return checks === undefined ? none : summaryOf(countedChecks(checks, patterns.get(change.repository_id) ?? []))
  }
}

/** Whether a report about a check is newer than what is known. */
const isNews = (check: ReportedCheck, existing: ChangeChecksTable): boolean =>
  check.attempt > existing.attempt || (check.attempt === existing.attempt && check.at >= existing.at)

const isSame = (check: ReportedCheck, existing: ChangeChecksTable): boolean =>
  check.state === existing.state &&
  check.attempt === existing.attempt &&
  check.at === existing.at &&
  check.url === existing.url

/**
 * Applies a report about a check; returns whether anything changed (git 2).
 * @param seenBy who was shown the secret of the event, unless that was a present person
 */
export async function recordCheck(
  ctx: Context,
  repository: RepositoriesTable,
  check: ReportedCheck,
  seenBy: string | null,
): Promise<boolean> {
  const { db } = ctx
  const before = await checksAt(db, repository, check.sha)
  const existing = before.find(({ name }) => name === check.name)
  const isLifted = existing !== undefined && existing.seen_by !== null && seenBy === null
  if (existing !== undefined && (!isNews(check, existing) || (isSame(check, existing) && !isLifted))) return false
  const row = { ...check, repository_id: repository.id, board_id: repository.board_id, seen_by: seenBy }
  if (existing !== undefined)
    await db
      .deleteFrom('change_checks')
      .where('sha', '=', check.sha)
      .where('repository_id', '=', repository.id)
      .where('name', '=', check.name)
      .execute()
  await insertRow(db, 'change_checks', row)
  const patterns = parseJson(repository.required_checks)
  const after = [...before.filter(({ name }) => name !== check.name), row]
  await recordOutcome(ctx, repository, check.sha, {
    before: summaryOf(countedChecks(before, patterns)),
    after: summaryOf(countedChecks(after, patterns)),
    names: countedChecks(after, patterns).map(({ name }) => name),
  })
  return true
}

interface Turn {
  readonly before: CheckSummary
  readonly after: CheckSummary
  readonly names: readonly string[]
}

/** Appends an entry to the logs of a commit's records when its checks turn to failed or passed (git 9). */
async function recordOutcome(
  ctx: Context,
  repository: OnBoard,
  sha: string,
  { before, after, names }: Turn,
): Promise<void> {
  if (after.state === before.state || (after.state !== 'failing' && after.state !== 'passing')) return
  const failed = after.state === 'failing'
  const recordedIds = new Set<string>()
  for (const change of await changesAt(ctx.db, repository, sha))
    for (const link of await allLinksOf(ctx.db, change)) {
      if (link.is_undone === 1 || recordedIds.has(link.entity_id)) continue
      recordedIds.add(link.entity_id)
      await recordOnEntity(ctx, link, change.board_id, failed ? 'checks_failed' : 'checks_passed', {
        change_id: change.id,
        kind: change.kind,
        title: change.title,
        sha,
        names: failed ? after.failing : names,
      })
    }
}

/** The pull requests and the commit that are checked at a commit. */
async function changesAt(db: Db, repository: OnBoard, sha: string): Promise<ChangesTable[]> {
  const commit = await findChange(db, repository, 'commit', sha)
  return [...(await requestsAt(db, repository, sha)), ...(commit === undefined ? [] : [commit])]
}

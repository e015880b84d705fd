/** Pull requests, as forges report them (git 2, 3). */
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { ChangeContent } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { turning } from '../../schema/in-pieces.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { ChangesTable, RepositoriesTable } from '../../schema/tables.ts'
import { Linker, recordOnEntity } from './linking.ts'
import type { Occurrence } from './occurrences.ts'
import { maxLinks, mentionsOfRequest } from './recognition.ts'
import type { ReportedPullRequest, ReportedReview } from './reported.ts'
import {
  allLinksOf,
  changeWithId,
  commitsOn,
  contentOf,
  findChange,
  putOnBranch,
  repositoryOf,
  takeOffBranch,
} from './store.ts'

const bySource = hot<OnBoard & { branch: string }, ChangesTable>((db, param) =>
  db
    .selectFrom('changes')
    .selectAll()
    .where('repository_id', '=', param('id'))
    .where(onBoard('changes', param('board_id')))
    .where('source_branch', '=', sql<string>`${param('branch')}`)
    .where('source_branch', 'is not', null)
    .where('is_external', '=', 0),
)

const byHead = hot<OnBoard & { sha: string }, ChangesTable>((db, param) =>
  db
    .selectFrom('changes')
    .selectAll()
    .where('repository_id', '=', param('id'))
    .where(onBoard('changes', param('board_id')))
    .where('head', '=', sql<string>`${param('sha')}`)
    .where('head', 'is not', null),
)

const byMergeCommit = hot<OnBoard & { sha: string }, ChangesTable>((db, param) =>
  db
    .selectFrom('changes')
    .selectAll()
    .where('repository_id', '=', param('id'))
    .where(onBoard('changes', param('board_id')))
    .where('merge_commit', '=', sql<string>`${param('sha')}`)
    .where('merge_commit', 'is not', null),
)

/** The pull requests whose head or merge commit is a commit. */
export async function requestsAt(db: Db, { id, board_id }: OnBoard, sha: string): Promise<ChangesTable[]> {
  const at = { id, board_id, sha }
  const found = [...(await byHead(db, at)), ...(await byMergeCommit(db, at))]
  return found.filter((request, index) => found.findIndex(other => other.id === request.id) === index)
}

/**
 * The pull requests that commits and a branch belong to, even if the commits and the branch were never reported (git
 * 4).
 */
export async function requestsOf(
  db: Db,
  repository: OnBoard,
  { shas, branch }: { readonly shas: readonly string[]; readonly branch: string | null },
): Promise<ChangesTable[]> {
  const found = new Map<string, ChangesTable>()
  for (const sha of shas) for (const request of await requestsAt(db, repository, sha)) found.set(request.id, request)
  if (branch !== null)
    for (const request of await bySource(db, { id: repository.id, board_id: repository.board_id, branch }))
      if (request.state === 'open') found.set(request.id, request)
  return [...found.values()]
}

/** The result of an event about a pull request. */
export interface Outcome {
  changes: number
  links: number
  /** What was left out. */
  reason: string | null
}

/**
 * The commits of a branch that are not merged otherwise, and the branch's links, belong to its open pull requests, and
 * to one that was reported as merged before its branch was.
 */
export async function followBranch(ctx: Context, linker: Linker, repository: OnBoard, name: string): Promise<void> {
  const branch = await findChange(ctx.db, repository, 'branch', name)
  for (const request of await bySource(ctx.db, { id: repository.id, board_id: repository.board_id, branch: name })) {
    // A branch that went on after the merge has work that is not merged.
    const isLate = request.state === 'merged' && branch !== undefined && contentOf(branch).head === request.head
    if (request.state === 'open' || isLate) await takeCommits(ctx, linker, request)
    if (isLate) await mergeCommits(ctx, request)
  }
}

/** Adds the commits of its branch to a pull request, and the pull request's links to them and the branch. */
async function takeCommits(ctx: Context, linker: Linker, request: ChangesTable): Promise<void> {
  if (request.is_external === 1 || request.source_branch === null) return
  const { db } = ctx
  const step = turning(db)
  const branch = await findChange(db, repositoryOf(request), 'branch', request.source_branch)
  if (branch === undefined) return
  const present = new Set(await commitsOn(db, request))
  const onBranch = new Set(await commitsOn(db, branch))
  const own = new Set<string>()
  for (const id of onBranch) {
    await step()
    const commit = await changeWithId(db, id)
    if (commit?.state === 'merged') continue
    own.add(id)
    if (!present.has(id))
      await putOnBranch(db, { branch_id: request.id, commit_id: id, board_id: request.board_id, placed_at: ctx.now() })
  }
  // Its commits stay its own where the default branch got them before the pull request was reported as merged.
  const removed = [...present].filter(id => !onBranch.has(id))
  // A branch that is known by its name alone says nothing about commits.
  const isKnown = branch.state !== 'deleted' && (contentOf(branch).head ?? null) !== null
  if (isKnown && removed.length > 0) await takeOffBranch(db, request, removed)
  await linker.inherit(branch, request)
  for (const id of own) {
    await step()
    const commit = await changeWithId(db, id)
    if (commit !== undefined) await linker.inherit(commit, request)
  }
}

/** Marks the commits of a merged pull request as merged. */
async function mergeCommits(ctx: Context, request: ChangesTable): Promise<number> {
  const { db } = ctx
  const ids = new Set(await commitsOn(db, request))
  const head = request.head === null ? undefined : await findChange(db, repositoryOf(request), 'commit', request.head)
  if (head !== undefined) ids.add(head.id)
  let merged = 0
  for (const id of ids) {
    const commit = await changeWithId(db, id)
    if (commit !== undefined && (await markMerged(ctx, commit, request))) merged++
  }
  return merged
}

async function markMerged(ctx: Context, commit: ChangesTable, request: ChangesTable): Promise<boolean> {
  const content = contentOf(commit)
  if (content.merged_as !== undefined && content.merged_as !== null) return false
  await updateRow(ctx.db, 'changes', commit.id, {
    state: 'merged',
    seen_by: request.seen_by,
    content: toJson({
      ...content,
      merged_at: content.merged_at ?? contentOf(request).merged_at ?? ctx.now(),
      merged_as: request.merge_commit,
    }),
    updated_at: ctx.now(),
  })
  return true
}

/** Marks a commit that is reported after its pull request was merged as merged. */
export async function mergeLate(ctx: Context, change: ChangesTable): Promise<void> {
  const repository = repositoryOf(change)
  for (const request of await byHead(ctx.db, { ...repository, sha: change.key }))
    if (request.state === 'merged') {
      const commit = await findChange(ctx.db, repository, 'commit', change.key)
      if (commit !== undefined) await markMerged(ctx, commit, request)
    }
}

/** The columns and contents of a pull request, according to a report. */
function rowOf(report: ReportedPullRequest, present: ChangesTable | undefined, now: string) {
  const content: ChangeContent = present === undefined ? {} : contentOf(present)
  return {
    title: report.title,
    state: report.state,
    author_login: report.login ?? present?.author_login ?? null,
    is_external: report.isExternal ? (1 as const) : (0 as const),
    files_changed: report.files ?? present?.files_changed ?? null,
    additions: report.additions ?? present?.additions ?? null,
    deletions: report.deletions ?? present?.deletions ?? null,
    source_branch: report.source ?? present?.source_branch ?? null,
    head: report.head ?? present?.head ?? null,
    merge_commit: report.mergeCommit ?? present?.merge_commit ?? null,
    content: toJson({
      ...content,
      body: report.body,
      draft: report.isDraft,
      target_branch: report.target ?? content.target_branch ?? null,
      merged_at: report.mergedAt ?? content.merged_at ?? (report.state === 'merged' ? (report.updatedAt ?? now) : null),
      merged_by: report.mergedBy ?? content.merged_by ?? null,
      commits: report.commits ?? content.commits ?? null,
      ...(report.state !== 'open' && { queued: false }),
      ...(report.updatedAt !== null && { told_at: report.updatedAt }),
    }),
  }
}

/** Whether a report about a pull request is newer than what is known; a merged one stays merged (git 2). */
function isNews(report: ReportedPullRequest, present: ChangesTable): boolean {
  const reportedAt = contentOf(present).told_at
  if (report.updatedAt === null || (present.state === 'merged' && report.state !== 'merged')) return false
  return (
    reportedAt === undefined ||
    report.updatedAt >= reportedAt ||
    (report.state === 'merged' && present.state !== 'merged')
  )
}

/** Appends an entry about a pull request to the logs of the records that it is linked to. */
async function recordOnLinked(
  ctx: Context,
  request: ChangesTable,
  action: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  for (const link of await allLinksOf(ctx.db, request))
    if (link.is_undone === 0)
      await recordOnEntity(ctx, link, request.board_id, action, {
        change_id: request.id,
        kind: 'pull_request',
        title: request.title,
        number: Number(request.key),
        ...details,
      })
}

/** The actions on a pull request, as events name them. */
function actionsOf(present: ChangesTable | undefined, now: ChangesTable): string[] {
  const [was, is] = [
    present === undefined ? undefined : contentOf(present).draft === true,
    contentOf(now).draft === true,
  ]
  if (present === undefined || present.state !== now.state) {
    if (now.state === 'merged') return ['pull_request_merged']
    if (now.state === 'closed') return ['pull_request_closed']
    return [present === undefined ? 'pull_request_opened' : 'pull_request_reopened']
  }
  return was === true && !is ? ['pull_request_ready'] : []
}

/** The known pull request of a number. */
export const findRequest = (db: Db, repository: OnBoard, number: number): Promise<ChangesTable | undefined> =>
  findChange(db, repository, 'pull_request', String(number))

/** Sets members of the contents of a pull request. */
export async function amendRequest(ctx: Context, request: ChangesTable, changed: ChangeContent): Promise<ChangesTable> {
  const content = toJson({ ...contentOf(request), ...changed })
  await updateRow(ctx.db, 'changes', request.id, { content, updated_at: ctx.now() })
  return { ...request, content }
}

/** A pull request without what only a file reported about it, which proves nothing (git 11). */
function withoutHearsay(request: ChangesTable | undefined): ChangesTable | undefined {
  if (request === undefined || request.confirmed_by !== null) return request
  const { told_at: _, ...content } = contentOf(request)
  return { ...request, state: 'open', content: toJson(content) }
}

/**
 * Applies a report about a pull request (git 2, 3).
 * @param seenBy who was shown the secret of the event, unless that was a present person
 */
export async function recordRequest(
  ctx: Context,
  repository: RepositoriesTable,
  report: ReportedPullRequest,
  seenBy: string | null,
): Promise<{ readonly request: ChangesTable; readonly outcome: Outcome; readonly occurrences: readonly Occurrence[] }> {
  const linker = await Linker.of(ctx, repository)
  const present = withoutHearsay(await findRequest(ctx.db, repository, report.number))
  if (present !== undefined && !isNews(report, present))
    return {
      request: present,
      outcome: { changes: 0, links: 0, reason: 'A newer state of the pull request is known.' },
      occurrences: [],
    }
  const request = await store(ctx, repository, report, { present, seenBy })
  const places = new Set<string>(parseJson(repository.recognise))
  const mentions = mentionsOfRequest(request.title, contentOf(request).body ?? null, places, ctx.environment.publicUrl)
  const { excess, dropped } = await linker.relink(request, mentions, ['pull_request', 'trailer'])
  if (dropped.length > 0) await disinherit(ctx, linker, request, dropped)
  if (request.state !== 'closed') await takeCommits(ctx, linker, request)
  const merged = request.state === 'merged' ? await mergeCommits(ctx, request) : 0
  const actions = actionsOf(present, request)
  for (const action of actions) await recordOnLinked(ctx, request, action)
  const reason = excess === 0 ? null : `It names ${excess} records over the limit of ${maxLinks}.`
  return {
    request,
    outcome: { changes: 1 + merged, links: linker.created.length, reason },
    occurrences: [...linker.occurrences(), ...occurrencesOf(request, actions)],
  }
}

/** What happened to a pull request, for automations: a draft does not count as open yet. */
function occurrencesOf(change: ChangesTable, actions: readonly string[]): Occurrence[] {
  if (actions.includes('pull_request_merged')) return [{ what: 'merged', change }]
  const isOpened = actions.length > 0 && change.state === 'open' && contentOf(change).draft !== true
  return isOpened ? [{ what: 'opened', change }] : []
}

async function store(
  ctx: Context,
  repository: RepositoriesTable,
  report: ReportedPullRequest,
  { present, seenBy }: { readonly present: ChangesTable | undefined; readonly seenBy: string | null },
): Promise<ChangesTable> {
  // What somebody else has already confirmed needs no further confirmation.
  const isConfirmed = present?.confirmed_by === 'forge' && present.state === report.state && present.seen_by === null
  const own = { ...rowOf(report, present, ctx.now()), seen_by: isConfirmed ? null : seenBy }
  if (present !== undefined) {
    const changed = { ...own, confirmed_by: 'forge' as const, updated_at: ctx.now() }
    await updateRow(ctx.db, 'changes', present.id, changed)
    return { ...present, ...changed }
  }
  const row: ChangesTable = {
    id: ctx.newId(),
    board_id: repository.board_id,
    repository_id: repository.id,
    kind: 'pull_request',
    key: String(report.number),
    author_name: null,
    author_email: null,
    confirmed_by: 'forge',
    is_linked: 0,
    is_bare: 0,
    patch_id: null,
    ...own,
    happened_at: report.createdAt ?? report.updatedAt ?? ctx.now(),
    created_at: ctx.now(),
    updated_at: ctx.now(),
  }
  await insertRow(ctx.db, 'changes', row)
  return row
}

/**
 * Removes from the commits and branch of a pull request the records that its text no longer names, unless the branch
 * names them.
 */
async function disinherit(
  ctx: Context,
  linker: Linker,
  request: ChangesTable,
  records: readonly string[],
): Promise<void> {
  const { db } = ctx
  const branch =
    request.source_branch === null
      ? undefined
      : await findChange(db, repositoryOf(request), 'branch', request.source_branch)
  const branchLinks = branch === undefined ? [] : await allLinksOf(db, branch)
  const removed = records.filter(
    id => !branchLinks.some(({ entity_id, how }) => entity_id === id && how !== 'inherited'),
  )
  if (branch !== undefined) await linker.disinherit(branch, removed)
  for (const id of await commitsOn(db, request)) {
    const commit = await changeWithId(db, id)
    if (commit !== undefined) await linker.disinherit(commit, removed)
  }
}

/** The combined verdict of the reviewers of a pull request. */
export function reviewOf({ reviews = {} }: ChangeContent) {
  const verdicts = Object.values(reviews)
  const count = (verdict: ReportedReview['decision']) => verdicts.filter(({ decision }) => decision === verdict).length
  const [approvals, requests] = [count('approved'), count('changes_requested')]
  const decision = requests > 0 ? 'changes_requested' : approvals > 0 ? 'approved' : 'none'
  return { decision, approvals, requests } as const
}

/** Maximum number of reviewers of a pull request that are stored. */
const maxReviewers = 100

/** Applies a reviewer's verdict; a later one is kept (git 2). */
export async function recordReview(ctx: Context, request: ChangesTable, review: ReportedReview): Promise<boolean> {
  const content = contentOf(request)
  const verdicts = content.reviews ?? {}
  const before = Object.hasOwn(verdicts, review.login) ? verdicts[review.login] : undefined
  if (before !== undefined && (before.at > review.at || before.decision === review.decision)) return false
  if (before === undefined && Object.keys(verdicts).length >= maxReviewers) return false
  const reviews = { ...verdicts, [review.login]: { decision: review.decision, at: review.at } }
  const now = await amendRequest(ctx, request, { reviews })
  await recordOnLinked(ctx, now, 'pull_request_reviewed', { decision: reviewOf({ reviews }).decision })
  return true
}

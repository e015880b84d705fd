/** Events of GitHub, and of Gitea and Forgejo where they are alike (git 2). Pure. */

import { type ForgeEvent, ignored, type ReportedCheck, type ReportedPullRequest } from '../reported.ts'
import { commitsIn } from './commits.ts'
import {
  at,
  branchOfRef,
  idAt,
  isTrue,
  listAt,
  lookUp,
  maxLength,
  needed,
  numberAt,
  shaAt,
  textAt,
  timeAt,
  titleAt,
  wordAt,
} from './fields.ts'

/** Branches that a merge queue creates for itself. */
const queueBranches = 'gh-readonly-queue/'

/** The approximate maximum number of commits in a push event of GitHub. */
const maxReported = 2_000

/** push: commits were added to a branch. */
export function pushIn(payload: unknown): ForgeEvent {
  const branch = branchOfRef(needed(textAt(payload, maxLength.url, 'ref'), 'ref'))
  if (branch === null) return ignored('It is about a tag or another ref.')
  if (branch.startsWith(queueBranches)) return ignored('It is about a branch of the merge queue.')
  const commits = commitsIn(payload, branch)
  const head = shaAt(payload, 'after')
  const counted = numberAt(payload, 'total_commits') ?? numberAt(payload, 'size') ?? 0
  return {
    kind: 'push',
    branch,
    head,
    isDeleted: isTrue(payload, 'deleted') || (head === null && at(payload, 'after') !== undefined),
    isForced: isTrue(payload, 'forced'),
    login: textAt(payload, maxLength.login, 'sender', 'login'),
    commits,
    isCut: counted > commits.length || listAt(payload, 'commits').length >= maxReported,
  }
}

/** create and delete: a branch was made or deleted. */
export function branchIn(payload: unknown, isDeleted: boolean): ForgeEvent {
  if (at(payload, 'ref_type') !== 'branch') return ignored('It is about a tag or another ref.')
  const ref = needed(textAt(payload, maxLength.branch, 'ref'), 'ref')
  const branch = branchOfRef(ref) ?? ref
  if (branch.startsWith(queueBranches)) return ignored('It is about a branch of the merge queue.')
  const head = isDeleted ? null : shaAt(payload, 'sha')
  const login = textAt(payload, maxLength.login, 'sender', 'login')
  return { kind: 'push', branch, head, isDeleted, isForced: false, login, commits: [], isCut: false }
}

/** Whether a title marks a pull request as a draft. */
export const isDraftTitle = (title: string): boolean => /^\s*(?:\[wip\]|wip:|draft:)/i.test(title)

/** A pull request of GitHub, Gitea or Forgejo. */
export function pullRequestIn(payload: unknown, draftByTitle: boolean): ReportedPullRequest {
  const request = needed(at(payload, 'pull_request'), 'pull_request')
  const title = titleAt(request)
  const isMerged = isTrue(request, 'merged')
  const [from, to] = [idAt(request, 'head', 'repo', 'full_name'), idAt(request, 'base', 'repo', 'full_name')]
  return {
    number: needed(numberAt(request, 'number') ?? numberAt(payload, 'number'), 'number'),
    title,
    body: textAt(request, maxLength.body, 'body'),
    isDraft: isTrue(request, 'draft') || (draftByTitle && isDraftTitle(title)),
    state: isMerged ? 'merged' : at(request, 'state') === 'closed' ? 'closed' : 'open',
    source: textAt(request, maxLength.branch, 'head', 'ref'),
    target: textAt(request, maxLength.branch, 'base', 'ref'),
    head: shaAt(request, 'head', 'sha'),
    // Before the merge it is a trial merge.
    mergeCommit: isMerged ? shaAt(request, 'merge_commit_sha') : null,
    mergedAt: isMerged ? timeAt(request, 'merged_at') : null,
    mergedBy: isMerged ? textAt(request, maxLength.login, 'merged_by', 'login') : null,
    login: textAt(request, maxLength.login, 'user', 'login'),
    isExternal: to !== null && from !== to,
    commits: numberAt(request, 'commits'),
    files: numberAt(request, 'changed_files'),
    additions: numberAt(request, 'additions'),
    deletions: numberAt(request, 'deletions'),
    createdAt: timeAt(request, 'created_at'),
    updatedAt: timeAt(request, 'updated_at'),
  }
}

const ended: Readonly<Record<string, ReportedCheck['state']>> = {
  success: 'success',
  neutral: 'neutral',
  skipped: 'skipped',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  stale: 'cancelled',
}

/** The state of a check, depending on whether its run has ended. */
const stateOfRun = (run: unknown): ReportedCheck['state'] => {
  if (at(run, 'status') !== 'completed') return 'pending'
  return lookUp(ended, wordAt(run, 'conclusion')) ?? 'failure'
}

/** check_run. */
export function checkRunIn(payload: unknown): ForgeEvent {
  const run = needed(at(payload, 'check_run'), 'check_run')
  return {
    kind: 'check',
    check: {
      sha: needed(shaAt(run, 'head_sha'), 'head_sha'),
      name: needed(textAt(run, maxLength.name, 'name'), 'name'),
      kind: 'check_run',
      suite: idAt(run, 'check_suite', 'id'),
      state: stateOfRun(run),
      attempt: 1,
      url: textAt(run, maxLength.url, 'html_url'),
      at: needed(timeAt(run, 'completed_at') ?? timeAt(run, 'started_at'), 'started_at'),
    },
  }
}

/** status. */
export function statusIn(payload: unknown): ForgeEvent {
  const state = at(payload, 'state')
  return {
    kind: 'check',
    check: {
      sha: needed(shaAt(payload, 'sha'), 'sha'),
      name: needed(textAt(payload, maxLength.name, 'context'), 'context'),
      kind: 'status',
      suite: null,
      state: state === 'pending' ? 'pending' : (lookUp(ended, wordAt(payload, 'state')) ?? 'failure'),
      attempt: 1,
      url: textAt(payload, maxLength.url, 'target_url'),
      at: needed(timeAt(payload, 'updated_at') ?? timeAt(payload, 'created_at'), 'updated_at'),
    },
  }
}

/** workflow_run. */
export function workflowRunIn(payload: unknown): ForgeEvent {
  const run = needed(at(payload, 'workflow_run'), 'workflow_run')
  const isOver = at(run, 'status') === 'completed'
  const times = isOver
    ? ['completed_at', 'updated_at', 'run_started_at']
    : ['run_started_at', 'started_at', 'created_at']
  const when = times.map(name => timeAt(run, name)).find(time => time !== null)
  return {
    kind: 'check',
    check: {
      sha: needed(shaAt(run, 'head_sha'), 'head_sha'),
      name: needed(textAt(run, maxLength.name, 'name') ?? textAt(run, maxLength.name, 'display_title'), 'name'),
      kind: 'workflow_run',
      suite: idAt(run, 'check_suite_id'),
      state: stateOfRun(run),
      attempt: numberAt(run, 'run_attempt') ?? 1,
      url: textAt(run, maxLength.url, 'html_url'),
      at: needed(when ?? timeAt(run, 'updated_at'), 'updated_at'),
    },
  }
}

/** check_suite: forges create suites in which nothing ever runs, so only a completed one counts. */
export function checkSuiteIn(payload: unknown): ForgeEvent {
  const suite = needed(at(payload, 'check_suite'), 'check_suite')
  if (at(suite, 'status') !== 'completed') return ignored('It is about a check suite that has not ended.')
  return {
    kind: 'check',
    check: {
      sha: needed(shaAt(suite, 'head_sha'), 'head_sha'),
      name: textAt(suite, maxLength.name, 'app', 'name') ?? 'check suite',
      kind: 'check_suite',
      suite: idAt(suite, 'id'),
      state: stateOfRun(suite),
      attempt: 1,
      url: null,
      at: needed(timeAt(suite, 'updated_at') ?? timeAt(suite, 'created_at'), 'updated_at'),
    },
  }
}

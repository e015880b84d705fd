/** Events of GitLab (git 2). Pure. */

import {
  type ForgeEvent,
  ignored,
  type ReportedCheck,
  type ReportedPullRequest,
  type ReportedReview,
} from '../reported.ts'
import { commitsIn } from './commits.ts'
import {
  at,
  branchOfRef,
  idAt,
  isTrue,
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
import { isDraftTitle } from './hub.ts'

function push(payload: unknown): ForgeEvent {
  const branch = branchOfRef(needed(textAt(payload, maxLength.url, 'ref'), 'ref'))
  if (branch === null) return ignored('It is about a tag or another ref.')
  const commits = commitsIn(payload, branch)
  const head = shaAt(payload, 'after')
  return {
    kind: 'push',
    branch,
    head,
    isDeleted: head === null,
    isForced: isTrue(payload, 'forced'),
    login: textAt(payload, maxLength.login, 'user_username'),
    commits,
    isCut: (numberAt(payload, 'total_commits_count') ?? 0) > commits.length,
  }
}

const requestActions = new Set(['open', 'update', 'reopen', 'close', 'merge'])

const decisions: Readonly<Record<string, ReportedReview['decision']>> = {
  approved: 'approved',
  approval: 'approved',
  unapproved: 'none',
  unapproval: 'none',
}

function requestOf(payload: unknown): ReportedPullRequest {
  const request = needed(at(payload, 'object_attributes'), 'object_attributes')
  const action = at(request, 'action')
  const title = titleAt(request)
  const isMerged = at(request, 'state') === 'merged'
  const head = shaAt(request, 'last_commit', 'id')
  const user = textAt(payload, maxLength.login, 'user', 'username')
  return {
    number: needed(numberAt(request, 'iid'), 'iid'),
    title,
    body: textAt(request, maxLength.body, 'description'),
    isDraft: isTrue(request, 'draft') || isTrue(request, 'work_in_progress') || isDraftTitle(title),
    state: isMerged ? 'merged' : at(request, 'state') === 'closed' ? 'closed' : 'open',
    source: textAt(request, maxLength.branch, 'source_branch'),
    target: textAt(request, maxLength.branch, 'target_branch'),
    head,
    mergeCommit: isMerged ? (shaAt(request, 'merge_commit_sha') ?? shaAt(request, 'squash_commit_sha') ?? head) : null,
    mergedAt: isMerged && action === 'merge' ? timeAt(request, 'updated_at') : null,
    mergedBy: isMerged && action === 'merge' ? user : null,
    login: action === 'open' ? user : null,
    isExternal: idAt(request, 'source_project_id') !== idAt(request, 'target_project_id'),
    commits: null,
    files: null,
    additions: null,
    deletions: null,
    createdAt: timeAt(request, 'created_at'),
    updatedAt: timeAt(request, 'updated_at'),
  }
}

function mergeRequest(payload: unknown): ForgeEvent {
  const action = wordAt(payload, 'object_attributes', 'action')
  const decision = lookUp(decisions, action)
  if (decision === undefined && !requestActions.has(action)) return ignored('This action has no effect.')
  const request = requestOf(payload)
  if (decision === undefined) return { kind: 'pull_request', request }
  const login = needed(textAt(payload, maxLength.login, 'user', 'username'), 'user')
  return { kind: 'pull_request', request, review: { login, decision, at: needed(request.updatedAt, 'updated_at') } }
}

const states: Readonly<Record<string, ReportedCheck['state']>> = {
  success: 'success',
  skipped: 'skipped',
  canceled: 'cancelled',
  canceling: 'cancelled',
  failed: 'failure',
}

function pipeline(payload: unknown): ForgeEvent {
  const attributes = needed(at(payload, 'object_attributes'), 'object_attributes')
  return {
    kind: 'check',
    check: {
      sha: needed(shaAt(attributes, 'sha'), 'sha'),
      name: 'pipeline',
      kind: 'pipeline',
      suite: idAt(attributes, 'id'),
      state: lookUp(states, wordAt(attributes, 'status')) ?? 'pending',
      attempt: 1,
      url: textAt(attributes, maxLength.url, 'url'),
      at: needed(timeAt(attributes, 'finished_at') ?? timeAt(attributes, 'created_at'), 'created_at'),
    },
  }
}

const readers: Readonly<Record<string, (payload: unknown) => ForgeEvent>> = {
  push,
  merge_request: mergeRequest,
  pipeline,
}

/** The contents of an event of GitLab: its kind is in the payload. */
export function readGitlab(_event: string, payload: unknown): ForgeEvent {
  const kind = wordAt(payload, 'object_kind')
  return Object.hasOwn(readers, kind) ? readers[kind]!(payload) : ignored('Events of this kind have no effect.')
}

/** The repository of an event of GitLab. */
export const projectIn = (payload: unknown) => ({
  id: idAt(payload, 'project', 'id') ?? idAt(payload, 'project_id'),
  name: textAt(payload, maxLength.url, 'project', 'path_with_namespace'),
  defaultBranch: textAt(payload, maxLength.branch, 'project', 'default_branch'),
})

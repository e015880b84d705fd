/** Events of Gitea and Forgejo (git 2). Pure. */

import { type ForgeEvent, ignored, type ReportedReview } from '../reported.ts'
import { maxLength, needed, textAt, timeAt, wordAt } from './fields.ts'
import { branchIn, pullRequestIn, pushIn, statusIn, workflowRunIn } from './hub.ts'

const requestActions = new Set(['opened', 'edited', 'synchronized', 'reopened', 'closed'])

function pullRequest(payload: unknown): ForgeEvent {
  if (!requestActions.has(wordAt(payload, 'action'))) return ignored('This action has no effect.')
  return { kind: 'pull_request', request: pullRequestIn(payload, true) }
}

function review(payload: unknown, decision: ReportedReview['decision']): ForgeEvent {
  const request = pullRequestIn(payload, true)
  return {
    kind: 'pull_request',
    request,
    review: {
      login: needed(textAt(payload, maxLength.login, 'sender', 'login'), 'sender'),
      decision,
      at: timeAt(payload, 'review', 'submitted_at') ?? needed(request.updatedAt, 'time'),
    },
  }
}

const readers: Readonly<Record<string, (payload: unknown) => ForgeEvent>> = {
  ping: () => ({ kind: 'ping' }),
  push: pushIn,
  create: payload => branchIn(payload, false),
  delete: payload => branchIn(payload, true),
  pull_request: pullRequest,
  // The headers use these names, or that of the general kind.
  pull_request_sync: pullRequest,
  pull_request_approved: payload => review(payload, 'approved'),
  pull_request_rejected: payload => review(payload, 'changes_requested'),
  status: statusIn,
  workflow_run: workflowRunIn,
}

/** The contents of an event of Gitea or Forgejo. */
export const readGitea = (event: string, payload: unknown): ForgeEvent =>
  Object.hasOwn(readers, event) ? readers[event]!(payload) : ignored('Events of this kind have no effect.')

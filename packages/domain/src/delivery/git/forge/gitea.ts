/** Events of Gitea and Forgejo (git 2). Pure. */

import { type ForgeEvent, ignored, type ToldReview } from '../told.ts'
import { longest, needed, textAt, timeAt, wordAt } from './fields.ts'
import { branchTold, pushTold, requestTold, statusTold, workflowRunTold } from './hub.ts'

const requestActions = new Set(['opened', 'edited', 'synchronized', 'reopened', 'closed'])

function pullRequest(payload: unknown): ForgeEvent {
  if (!requestActions.has(wordAt(payload, 'action'))) return ignored('Nothing follows from this action.')
  return { kind: 'pull_request', request: requestTold(payload, true) }
}

function review(payload: unknown, decision: ToldReview['decision']): ForgeEvent {
  const request = requestTold(payload, true)
  return {
    kind: 'pull_request',
    request,
    review: {
      login: needed(textAt(payload, longest.login, 'sender', 'login'), 'sender'),
      decision,
      at: timeAt(payload, 'review', 'submitted_at') ?? needed(request.updatedAt, 'time'),
    },
  }
}

const readers: Readonly<Record<string, (payload: unknown) => ForgeEvent>> = {
  ping: () => ({ kind: 'ping' }),
  push: pushTold,
  create: payload => branchTold(payload, false),
  delete: payload => branchTold(payload, true),
  pull_request: pullRequest,
  // The headers use these names, or that of the general kind.
  pull_request_sync: pullRequest,
  pull_request_approved: payload => review(payload, 'approved'),
  pull_request_rejected: payload => review(payload, 'changes_requested'),
  status: statusTold,
  workflow_run: workflowRunTold,
}

/** What an event of Gitea or Forgejo contains. */
export const readGitea = (event: string, payload: unknown): ForgeEvent =>
  Object.hasOwn(readers, event) ? readers[event]!(payload) : ignored('Nothing follows from events of this kind.')

/** Events of GitHub (git 2). Pure. */

import { type ForgeEvent, ignored, type ReportedReview } from '../reported.ts'
import { at, lookUp, maxLength, needed, textAt, timeAt, wordAt } from './fields.ts'
import { branchIn, checkRunIn, checkSuiteIn, pullRequestIn, pushIn, statusIn, workflowRunIn } from './hub.ts'

const requestActions = new Set([
  'opened',
  'edited',
  'synchronize',
  'ready_for_review',
  'converted_to_draft',
  'reopened',
  'closed',
])

function pullRequest(payload: unknown): ForgeEvent {
  const action = at(payload, 'action')
  if (action === 'enqueued' || action === 'dequeued')
    return { kind: 'pull_request', request: pullRequestIn(payload, false), isQueued: action === 'enqueued' }
  if (!requestActions.has(wordAt(payload, 'action'))) return ignored('Nothing follows from this action.')
  return { kind: 'pull_request', request: pullRequestIn(payload, false) }
}

const decisions: Readonly<Record<string, ReportedReview['decision']>> = {
  approved: 'approved',
  changes_requested: 'changes_requested',
  dismissed: 'none',
}

function review(payload: unknown): ForgeEvent {
  const action = at(payload, 'action')
  if (action !== 'submitted' && action !== 'dismissed') return ignored('Nothing follows from this action.')
  const state = wordAt(payload, 'review', 'state').toLowerCase()
  const decision = action === 'dismissed' ? 'none' : lookUp(decisions, state)
  const request = pullRequestIn(payload, false)
  const whole = at(payload, 'pull_request', 'merged') !== undefined
  // The pull request of a review lacks some of its members: only those present are used.
  const usableRequest = whole ? request : { ...request, updatedAt: null }
  if (decision === undefined) return ignored('It is a comment and decides nothing.')
  return {
    kind: 'pull_request',
    request: usableRequest,
    review: {
      login: needed(textAt(payload, maxLength.login, 'review', 'user', 'login'), 'reviewer'),
      decision,
      at: timeAt(payload, 'review', 'submitted_at') ?? needed(request.updatedAt, 'time'),
    },
  }
}

function mergeGroup(payload: unknown): ForgeEvent {
  const action = at(payload, 'action')
  if (action !== 'checks_requested' && action !== 'destroyed') return ignored('Nothing follows from this action.')
  const ref = needed(textAt(payload, maxLength.url, 'merge_group', 'head_ref'), 'head_ref')
  const [, number] = /\/pr-(\d{1,15})-[0-9a-f]+$/.exec(ref) ?? []
  return { kind: 'queue', number: Number(needed(number, 'number of a pull request')), isQueued: action !== 'destroyed' }
}

const readers: Readonly<Record<string, (payload: unknown) => ForgeEvent>> = {
  ping: () => ({ kind: 'ping' }),
  push: pushIn,
  create: payload => branchIn(payload, false),
  delete: payload => branchIn(payload, true),
  pull_request: pullRequest,
  pull_request_review: review,
  check_run: checkRunIn,
  check_suite: checkSuiteIn,
  status: statusIn,
  workflow_run: workflowRunIn,
  merge_group: mergeGroup,
}

/** The contents of an event of GitHub. */
export const readGithub = (event: string, payload: unknown): ForgeEvent =>
  Object.hasOwn(readers, event) ? readers[event]!(payload) : ignored('Events of this kind have no effect.')

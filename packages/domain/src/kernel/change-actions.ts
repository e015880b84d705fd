import type { Access } from './access/access.ts'

/** The actions of entries that are shown only to those who may read changes (git 9). */
export const changeActions: readonly string[] = [
  ...['change_linked', 'change_unlinked', 'changes_recorded', 'commit_vanished', 'authors_updated'],
  ...['pull_request_opened', 'pull_request_ready', 'pull_request_merged', 'pull_request_closed'],
  ...['pull_request_reopened', 'pull_request_reviewed', 'checks_failed', 'checks_passed'],
  ...['automation_moved', 'automation_refused', 'scope_left'],
]

/** The actions of entries that are never shown to a reader, whatever they are about. */
export const unreadableActions = (access: Access): readonly string[] =>
  access.allows('CHANGES_READ') ? [] : changeActions

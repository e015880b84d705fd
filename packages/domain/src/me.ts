import { features } from '@specboard/contract'
import { dismissInboxItems } from './insight/inbox/dismiss.ts'
import { countWaiting } from './insight/inbox/find.ts'
import { listMyInbox } from './insight/inbox/operations.ts'
import { markInboxItems, snoozeInboxItems } from './insight/inbox/snooze.ts'
import { implement } from './kernel/implement.ts'
import { streamMyEvents } from './workspace/events/my-events.ts'
import { getMyPermissions } from './workspace/me/operations.ts'

/** The operations about the caller itself, which are implemented in several features. */
export const meOperations = implement(features.me, {
  get_my_permissions: getMyPermissions,
  list_my_inbox: listMyInbox,
  dismiss_inbox_items: dismissInboxItems,
  snooze_inbox_items: snoozeInboxItems,
  mark_inbox_items: markInboxItems,
  stream_my_events: streamMyEvents(countWaiting),
})

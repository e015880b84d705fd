/** The inbox of the caller, on all boards that it sees (board 1). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import {
  ActorVia,
  BoardKey,
  CommaList,
  commaListOf,
  countsBy,
  FreeObject,
  Id,
  Moment,
  PrincipalKind,
  paging50,
  Ref,
  Timestamp,
} from '../shared.ts'
import { toolHints } from '../tool-hints.ts'
import { longWait } from './board-events.ts'
import { RequirementChange } from './card.ts'
import { CardStatus, ClaimStage, ClientSession, Overlap } from './summaries.ts'

/** The kinds of inbox item, in the order of the sections that define them. */
export const InboxKind = z.enum([
  'question',
  'choice_comment',
  'card_validation',
  'card_rework',
  'spec_review',
  'spec_validation',
  'spec_evaluation',
  'sprint_evaluation',
  'ideation_evaluation',
  'card_stuck',
  'claim_expired',
  'webhook_failing',
  'own_draft',
  'ideation_next',
  'refinement_next',
  'spec_coverage',
  'spec_start',
  'spec_finish',
  'sprint_next',
  'card_unplanned',
  'card_passed',
  'card_attempts',
  'card_outgrown',
  'answer',
  'claim_lost',
  'card_changed',
  'crew_gap',
  'notice',
  'card_approval',
  'mention',
  'connection_ended',
  'card_unproven',
  'scenario_failed',
  'regression',
  'checks_failed',
  'automation_refused',
  'change_unmerged',
  'forge_refused',
  'overlap',
])

export const InboxItem = z
  .object({
    id: z.string().describe('<kind>:<id of its source>'),
    kind: InboxKind,
    board_id: Id.nullable(),
    board_key: BoardKey.nullable(),
    record: z
      .object({
        entity_type: z.enum([
          'ideation',
          'refinement',
          'spec',
          'sprint',
          'card',
          'webhook',
          'repository',
          'board',
          'connection',
        ]),
        id: Id,
        ref: Ref.nullable(),
        title: z.string(),
        status: z.string(),
      })
      .meta({ id: 'InboxRecord' }),
    since: Timestamp,
    actor_id: z.string().nullable(),
    actor_name: z.string().nullable(),
    actor_type: PrincipalKind.nullable(),
    actor_via: ActorVia.nullable(),
    data: FreeObject.nullable().describe('the question, the choices, the failing report'),
    operation: z.string().describe('what settles it'),
    arguments: FreeObject,
    unread: z.boolean().exactOptional().describe('with marks'),
    snoozed_until: Timestamp.nullable().exactOptional().describe('with marks; null where no time brings it back'),
    until_change: z.boolean().exactOptional().describe('with marks: a change of its record brings it back'),
  })
  .meta({ id: 'InboxItem' })

/** A card that the caller has claimed, or that is reserved for it (crew 5.2). */
export const HoldingItem = z
  .object({
    ref: Ref,
    title: z.string(),
    status: CardStatus,
    stage: z.enum([...ClaimStage.options, 'reserved']),
    until: Timestamp,
    checkpoint: z.string().nullable().describe('the text of the last one'),
    needs: z.string().describe('the next call, and what it asks'),
    blocked_by: z.array(Ref),
    session: ClientSession.exactOptional().describe('that it is bound to'),
    overlaps: z.array(Overlap).exactOptional().describe('only where there are any'),
    changed: z.array(RequirementChange).exactOptional().describe('changes not read yet; absent if none'),
  })
  .meta({ id: 'HoldingItem' })

/** The number of items of each kind. */
export const InboxCounts = countsBy(InboxKind).meta({ id: 'InboxCounts' })

const Inbox = z
  .object({
    holding: z.array(HoldingItem),
    items: z.array(InboxItem),
    counts: InboxCounts,
    unread: z.int().exactOptional().describe('with marks: how many of those counted are unread'),
    snoozed: z.int().exactOptional().describe('with marks: how many are snoozed'),
  })
  .meta({ id: 'Inbox' })

export const list_my_inbox = operation({
  name: 'list_my_inbox',
  method: 'GET',
  path: '/api/v1/me/inbox',
  permission: '-',
  reads: 'board',
  extension: true,
  title: 'List my inbox',
  description: 'List what waits for you, and the calls that settle it.',
  query: {
    board_id: CommaList.optional().describe('comma list'),
    kind: commaListOf(InboxKind.options).optional().describe('comma list'),
    order: z.enum(['newest', 'oldest']).default('newest').register(toolHints, { hidden: true }),
    limit: paging50.limit,
    offset: paging50.offset.clone().register(toolHints, { hidden: true }),
    snoozed: z.enum(['without', 'with', 'only']).default('without').register(toolHints, { hidden: true }),
    marks: z.boolean().default(false).register(toolHints, { hidden: true }),
    wait_ms: longWait,
  },
  response: Inbox,
  errors: ['NOT_FOUND'],
  keywords: ['what to do', 'what waits for me', 'next', 'resume', 'todo', 'notifications', 'unanswered', 'waiting'],
})

const itemIds = z.array(z.string().min(1).max(200)).min(1).max(100).describe('ids of inbox items')

const notWaiting = z.array(z.string()).describe('these do not wait for you')

const DismissItems = z.object({ ids: itemIds }).meta({ id: 'DismissItems' })

const DismissedItems = z
  .object({
    dismissed: z.array(z.string()),
    not_dismissible: z.array(z.string()).describe('these end with their cause'),
  })
  .meta({ id: 'DismissedItems' })

export const dismiss_inbox_items = operation({
  name: 'dismiss_inbox_items',
  method: 'POST',
  path: '/api/v1/me/inbox/dismiss',
  permission: '-',
  extension: true,
  title: 'Dismiss inbox items',
  description: 'Dismiss news in your inbox.',
  body: DismissItems,
  response: DismissedItems,
  status: 200,
  errors: [],
  effect: 'repeatable',
  keywords: ['mark as read', 'clear', 'notifications', 'seen'],
})

const SnoozeItems = z
  .object({
    ids: itemIds,
    until: Moment.nullable().default(null),
    until_change: z.boolean().default(false).describe('until others change its record'),
  })
  .meta({ id: 'SnoozeItems' })

const SnoozedItems = z.object({ snoozed: z.array(z.string()), not_waiting: notWaiting }).meta({ id: 'SnoozedItems' })

export const snooze_inbox_items = operation({
  name: 'snooze_inbox_items',
  method: 'POST',
  path: '/api/v1/me/inbox/snooze',
  permission: '-',
  extension: true,
  title: 'Snooze inbox items',
  description: 'Put inbox items away for a while; without until and until_change, bring them back.',
  body: SnoozeItems,
  response: SnoozedItems,
  status: 200,
  errors: ['VALIDATION_ERROR', 'LIMIT_REACHED'],
  effect: 'repeatable',
  keywords: ['later', 'postpone', 'hide', 'wake', 'defer'],
})

const MarkItems = z
  .object({
    ids: itemIds.exactOptional().describe('default: all'),
    unread: z.boolean().default(false),
  })
  .meta({ id: 'MarkItems' })

const MarkedItems = z
  .object({ marked: z.int().describe('items now so marked'), not_waiting: notWaiting })
  .meta({ id: 'MarkedItems' })

export const mark_inbox_items = operation({
  name: 'mark_inbox_items',
  method: 'POST',
  path: '/api/v1/me/inbox/mark',
  permission: '-',
  extension: true,
  title: 'Mark inbox items',
  description: 'Mark inbox items as read.',
  body: MarkItems,
  response: MarkedItems,
  status: 200,
  errors: [],
  effect: 'repeatable',
  keywords: ['read', 'unread', 'seen', 'opened'],
})

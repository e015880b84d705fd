import type { InboxItem as InboxItemSchema } from '@specboard/contract'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'
import { client } from './client.ts'
import { useHeldItems } from './held.ts'
import { keys } from './keys.ts'

export type InboxItem = z.output<typeof InboxItemSchema>
export type InboxKind = InboxItem['kind']

/** A card that the person holds, or that is reserved for them. */
export type HeldCard = Inbox['holding'][number]

type Inbox = Awaited<ReturnType<typeof client.listMyInbox>>

/** How long an item is snoozed: until a time, or until somebody else changes its record. */
export interface Snooze {
  readonly until: string | null
  readonly until_change: boolean
}

/** The kinds of inbox item, most pressing first. */
export const inboxKinds = [
  'question',
  'choice_comment',
  'card_rework',
  'card_validation',
  'card_approval',
  'spec_review',
  'spec_validation',
  'spec_evaluation',
  'sprint_evaluation',
  'ideation_evaluation',
  'mention',
  'automation_refused',
  'checks_failed',
  'change_unmerged',
  'regression',
  'scenario_failed',
  'card_unproven',
  'card_stuck',
  'answer',
  'claim_lost',
  'card_changed',
  'overlap',
  'card_attempts',
  'card_outgrown',
  'card_passed',
  'card_unplanned',
  'spec_coverage',
  'spec_start',
  'spec_finish',
  'sprint_next',
  'ideation_next',
  'refinement_next',
  'own_draft',
  'claim_expired',
  'crew_gap',
  'notice',
  'connection_ended',
  'webhook_failing',
  'forge_refused',
] as const satisfies readonly InboxKind[]

/** How many items are read at once; more are only counted. */
const max = 200

/** The number of items waiting for the person, on all boards; 0 until the stream has reported it. */
export function useWaiting(): number {
  const { data } = useQuery({ queryKey: keys.waiting, queryFn: () => 0, enabled: false })
  return Math.max(0, (data ?? 0) - useHeldItems().size)
}

/** The inbox of the person on all boards, with what is unread; without items that are settled by held calls. */
export function useInbox() {
  const heldIds = useHeldItems()
  return useQuery({
    queryKey: keys.inbox,
    queryFn: () => client.listMyInbox({ limit: max, order: 'oldest', marks: true }),
    select: useCallback((inbox: Inbox) => without(inbox, heldIds), [heldIds]),
  })
}

function without(inbox: Inbox, heldIds: ReadonlySet<string>): Inbox {
  const remaining = inbox.items.filter(({ id }) => !heldIds.has(id))
  const removed = inbox.items.filter(({ id }) => heldIds.has(id))
  if (removed.length === 0) return inbox
  const counts = { ...inbox.counts }
  for (const { kind } of removed) counts[kind] = (counts[kind] ?? 0) - 1
  const unread = (inbox.unread ?? 0) - removed.filter(item => item.unread === true).length
  return { ...inbox, items: remaining, counts, unread }
}

/** The snoozed items of the person, read once `isAsked` is true. */
export const useSnoozed = (isAsked: boolean) =>
  useQuery({
    queryKey: keys.snoozed,
    queryFn: () => client.listMyInbox({ limit: max, order: 'oldest', marks: true, snoozed: 'only' }),
    enabled: isAsked,
  })

/** Snoozes items, or ends their snooze. */
export async function snoozeItems(queries: QueryClient, ids: readonly string[], snooze: Snooze | null): Promise<void> {
  await client.snoozeInboxItems({ ids: [...ids], ...snooze })
  await queries.invalidateQueries({ queryKey: keys.inbox })
}

/** An inbox with some of its items marked as read or unread. */
function marked(inbox: Inbox, ids: readonly string[] | 'all', unread: boolean): Inbox {
  const isMarked = ({ id }: InboxItem): boolean => ids === 'all' || ids.includes(id)
  const items = inbox.items.map(item => (isMarked(item) ? { ...item, unread } : item))
  const before = inbox.items.filter(item => isMarked(item) && item.unread !== unread).length
  return { ...inbox, items, unread: ids === 'all' ? 0 : (inbox.unread ?? 0) + (unread ? before : -before) }
}

/** Marks items as read or unread: on the page at once, and reverted if the service refuses. */
export async function markRead(queries: QueryClient, ids: readonly string[] | 'all', isRead: boolean): Promise<void> {
  const show = () =>
    queries.setQueriesData<Inbox | InboxItem | null>({ queryKey: keys.inbox }, cached => {
      if (cached == null) return cached
      if ('items' in cached) return marked(cached, ids, !isRead)
      return ids === 'all' || ids.includes(cached.id) ? { ...cached, unread: !isRead } : cached
    })
  show()
  try {
    await client.markInboxItems({ ...(ids !== 'all' && { ids: [...ids] }), unread: !isRead })
    // A read that was under way may have returned the previous state.
    show()
  } catch {
    await queries.invalidateQueries({ queryKey: keys.inbox })
  }
}

const isKind = (name: string): name is InboxKind => (inboxKinds as readonly string[]).includes(name)

/** One inbox item by its id; null if it does not exist or is settled. */
export const useInboxItem = (id: string) => useQuery({ queryKey: [...keys.inbox, id], queryFn: () => findItem(id) })

async function findItem(id: string): Promise<InboxItem | null> {
  const kind = id.split(':')[0]!
  if (!isKind(kind)) return null
  for (let offset = 0; ; offset += max) {
    const { items } = await client.listMyInbox({ kind, limit: max, offset, marks: true, snoozed: 'with' })
    const found = items.find(item => item.id === id)
    if (found !== undefined || items.length < max) return found ?? null
  }
}

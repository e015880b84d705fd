import type { InboxItem as InboxItemSchema } from '@specboard/contract'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { client } from './client.ts'
import { keys } from './keys.ts'

export type InboxItem = z.output<typeof InboxItemSchema>
export type InboxKind = InboxItem['kind']

/** A card that the person holds, or that is reserved for them. */
export type Held = Awaited<ReturnType<typeof client.listMyInbox>>['holding'][number]

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
const most = 200

/** The number of items waiting for the person, on all boards; 0 until the stream has reported it. */
export function useWaiting(): number {
  const { data } = useQuery({ queryKey: keys.waiting, queryFn: () => 0, enabled: false })
  return data ?? 0
}

/** The inbox of the person, on all boards. */
export const useInbox = () =>
  useQuery({ queryKey: keys.inbox, queryFn: () => client.listMyInbox({ limit: most, order: 'oldest' }) })

const isKind = (name: string): name is InboxKind => (inboxKinds as readonly string[]).includes(name)

/** One inbox item, by its id; null if it does not wait, or no longer does. */
export const useInboxItem = (id: string) => useQuery({ queryKey: [...keys.inbox, id], queryFn: () => findItem(id) })

async function findItem(id: string): Promise<InboxItem | null> {
  const kind = id.split(':')[0]!
  if (!isKind(kind)) return null
  for (let offset = 0; ; offset += most) {
    const { items } = await client.listMyInbox({ kind, limit: most, offset })
    const found = items.find(item => item.id === id)
    if (found !== undefined || items.length < most) return found ?? null
  }
}

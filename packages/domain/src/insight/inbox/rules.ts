import { type InboxItem, InboxKind } from '@specboard/contract'
import type { z } from 'zod'
import { byAscii } from '../../lib/text-order.ts'

/** The kinds of items in an inbox (board 1). */
export type Kind = z.output<typeof InboxKind>

/** A waiting item, as answered. */
export type Item = z.output<typeof InboxItem>

/** How many items of each kind are waiting. */
export type Counts = Record<Kind, number>

/** A waiting item: its source, the record that it is about, and since when it waits. */
export interface WaitingItem {
  /** The id of the question, comment, failed validation or claim, otherwise of the record. */
  source: string
  record: string
  /** `noBoard` if it belongs to none. */
  board: string
  since: string
}

/** The board of an item that belongs to none. */
export const noBoard = ''

/** How long a card must be on hold to count as stuck, ms. */
export const stuckAfterMs = 24 * 3_600_000

/** How long a webhook must fail without a success to appear in an inbox, ms. */
export const failingAfterMs = 3_600_000

/** The counts of every kind, including 0. */
export function countsOf(batches: readonly { readonly kind: Kind; readonly count: number }[]): Counts {
  const counts = Object.fromEntries(InboxKind.options.map(kind => [kind, 0])) as Counts
  for (const { kind, count } of batches) counts[kind] += count
  return counts
}

/** A waiting item with its kind, for sorting and paging. */
export type InboxRow = WaitingItem & { readonly kind: Kind }

/** The id of an item (board 1). */
export const idOf = ({ kind, source }: Pick<InboxRow, 'kind' | 'source'>): string => `${kind}:${source}`

/** The kind in the id of an item; not necessarily one that exists. */
export const kindOf = (id: string): string => id.slice(0, id.indexOf(':'))

/** The source in the id of an item. */
export const sourceOf = (id: string): string => id.slice(id.indexOf(':') + 1)

/**
 * Compares by time, newest or oldest first, then by id. No kind is a prefix of another, so ids sort by kind and source.
 */
export const inOrder = (order: 'newest' | 'oldest') => {
  const later = order === 'newest' ? -1 : 1
  return (a: InboxRow, b: InboxRow): number =>
    later * byAscii(a.since, b.since) || byAscii(a.kind, b.kind) || byAscii(a.source, b.source)
}

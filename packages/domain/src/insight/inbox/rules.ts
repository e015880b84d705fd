import { type InboxItem, InboxKind } from '@specboard/contract'
import type { z } from 'zod'
import { byAscii } from '../../lib/text-order.ts'

/** What can wait for somebody (board 1). */
export type Kind = z.output<typeof InboxKind>

/** A thing that waits, as answered. */
export type Item = z.output<typeof InboxItem>

/** How many things of each kind wait. */
export type Counts = Record<Kind, number>

/** A thing that waits for the caller: what it comes from, the record that it is about, and since when. */
export interface Found {
  /** The id of the question, comment, failed validation or claim, else of the record. */
  source: string
  record: string
  /** `noBoard` where it is on none. */
  board: string
  since: string
}

/** The board of what is on none. */
export const noBoard = ''

/** After this long on hold a card counts as stuck, ms. */
export const stuckAfterMs = 24 * 3_600_000

/** After this long without a success a failing webhook waits for somebody, ms. */
export const failingAfterMs = 3_600_000

/** The counts of every kind, 0 included. */
export function countsOf(batches: readonly { readonly kind: Kind; readonly count: number }[]): Counts {
  const counts = Object.fromEntries(InboxKind.options.map(kind => [kind, 0])) as Counts
  for (const { kind, count } of batches) counts[kind] += count
  return counts
}

/** A thing that waits, with its kind: what order and pages are made from. */
export type Waiting = Found & { readonly kind: Kind }

/** The id of an item (board 1). */
export const idOf = ({ kind, source }: Pick<Waiting, 'kind' | 'source'>): string => `${kind}:${source}`

/**
 * Compares by time, newest or oldest first, then by id. No kind is the beginning of another, so the order of ids is that
 * of kinds and sources.
 */
export const inOrder = (order: 'newest' | 'oldest') => {
  const later = order === 'newest' ? -1 : 1
  return (a: Waiting, b: Waiting): number =>
    later * byAscii(a.since, b.since) || byAscii(a.kind, b.kind) || byAscii(a.source, b.source)
}

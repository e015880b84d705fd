import { type AnyOperation, type InboxItem, InboxKind, type OperationName, operationByName } from '@specboard/contract'
import type { z } from 'zod'
import type { Access } from '../../kernel/access/access.ts'
import { withDefaults } from '../../kernel/body-fields.ts'
import { requiredPermissions } from '../../kernel/service/required-permissions.ts'
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
  board: string
  since: string
}

/** A call that an item leads to, as far as permissions depend on it. */
export interface Settling {
  readonly operation: OperationName
  /** The status of the record that the call addresses. */
  readonly status?: string
  readonly body?: Readonly<Record<string, unknown>>
}

/** Whether permissions let the caller make a call on a record of a board that is not archived. */
export function mayCall(access: Access, { operation: name, status, body }: Settling): boolean {
  const operation = operationByName.get(name) as AnyOperation
  const input = {
    params: {},
    query: {},
    body: operation.method === 'POST' ? withDefaults(operation, body ?? {}) : body,
  }
  const state = status === undefined ? null : { status, archived: false }
  return requiredPermissions(operation, input, state).every(permission => access.allows(permission))
}

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

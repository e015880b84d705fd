/** The progress of a row, from all of its columns (imports 4). */
import type { Collection } from '../collected.ts'
import type { NeutralCard } from '../neutral.ts'
import { plain } from '../words/plain.ts'
import { notLiveWords, type Status, statuses } from '../words/tables.ts'
import type { Item } from './item.ts'

/** The words for an unchecked box. */
const no: ReadonlySet<string> = new Set(['', 'false', 'no', 'n', '0', 'f', 'off', 'never', 'none', 'null'])

const isSet = (cell: string | null): boolean => cell !== null && !no.has(plain(cell))

/** The words for a checked box; any other non-empty value, such as a time, says more. */
const yes: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1', 't', 'on', 'x'])

/** The boxes of a row whose cells say more than yes or no, such as when it was archived. */
export const boxesWithDetails = (item: Item): readonly ('archived' | 'complete')[] =>
  (['archived', 'complete'] as const).filter(field => {
    const cell = item.text(field)
    return isSet(cell) && !yes.has(plain(cell!))
  })

const notLive: ReadonlySet<string> = new Set(notLiveWords)

/** Whether a row is archived: its box or its status says so, unless the mapping gives that word another meaning. */
export function isArchived(item: Item, { words }: Collection): boolean {
  const word = item.text('status') ?? ''
  return (
    isSet(item.text('archived')) || (notLive.has(plain(word)) && words.mapping.valueOf('status', word) === undefined)
  )
}

export function statusOf(item: Item, collected: Collection): Status {
  const { words } = collected
  const word = item.text('status')
  const category = item.text('status_category')
  const isKnown = (text: string | null): boolean =>
    text !== null && (words.mapping.valueOf('status', text) ?? statuses.get(plain(text))) !== undefined
  const read = words.status(!isKnown(word) && isKnown(category) ? category : (word ?? category), item.place)
  const reason = item.text('reason')
  const status = collected.outcome(read, {
    resolution: item.text('resolution') ?? (isKnown(reason) ? reason : null),
    closedAt: isSet(item.text('closed')) ? item.text('closed') : null,
    isDone: isSet(item.text('complete')),
  })
  return status !== 'done' && isSet(item.text('cancelled')) ? 'cancelled' : status
}

/** The time of closing; null for an open row. */
export const closedAt = (item: Item, status: Status): string | null =>
  status === 'done' || status === 'cancelled' ? (item.moment('closed') ?? item.moment('cancelled')) : null

/** Priorities as numbers, as Azure DevOps and Linear write them. */
export const numberedPriorities: ReadonlyMap<string, NeutralCard['priority']> = new Map([
  ['0', 'none'],
  ['1', 'critical'],
  ['2', 'high'],
  ['3', 'medium'],
  ['4', 'low'],
])

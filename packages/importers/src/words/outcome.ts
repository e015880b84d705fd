/** What a source says of a record's end besides its status (imports 4). */
import { plain } from './plain.ts'
import { type Status, statuses } from './tables.ts'

export interface EndHints {
  /** Such as Jira's `Resolution` or GitHub's `state_reason`. */
  readonly resolution?: string | null
  /** When it was closed; null where it was not. */
  readonly closedAt?: string | null
  /** Whether its box is checked, or it lies in a folder for what is completed. */
  readonly isDone?: boolean
}

/** Resolutions that say nothing. */
const unresolved: ReadonlySet<string> = new Set(['', 'unresolved', 'none', 'reopened', 'null', 'nicht erledigt'])

const isEnd = (status: Status): boolean => status === 'done' || status === 'cancelled'

/**
 * The status of a record whose source says more than a word for it: how it was resolved says more than that it is
 * closed, a time of closing more than an open status.
 * @returns `because` what decided, where it was not the word
 */
export function outcomeOf(status: Status, hints: EndHints): { status: Status; because: string | null } {
  const { resolution, closedAt, isDone } = hints
  const resolved = plain(resolution ?? '')
  const end = unresolved.has(resolved) ? undefined : (statuses.get(resolved) ?? 'done')
  if (end === 'cancelled' && status !== 'cancelled') return { status: end, because: `the resolution "${resolution}"` }
  if (isEnd(status)) return { status, because: null }
  if (end === 'done') return { status: end, because: `the resolution "${resolution}"` }
  if (isDone === true) return { status: 'done', because: 'its checked box or folder' }
  if (closedAt != null && closedAt.trim() !== '') return { status: 'done', because: 'its closing time' }
  return { status, because: null }
}

/** What a source says about a record's end besides its status (imports 4). */
import { plain } from './plain.ts'
import { type Status, statuses } from './tables.ts'

export interface EndHints {
  /** Such as Jira's `Resolution` or GitHub's `state_reason`. */
  readonly resolution?: string | null
  /** The time of closing; null for an open record. */
  readonly closedAt?: string | null
  /** Whether its box is checked, or it is in a folder for completed records. */
  readonly isDone?: boolean
}

/** Resolutions without a meaning. */
const unresolved: ReadonlySet<string> = new Set(['', 'unresolved', 'none', 'reopened', 'null', 'nicht erledigt'])

const isEnd = (status: Status): boolean => status === 'done' || status === 'cancelled'

/**
 * The status of a record whose source has more evidence than one word: a resolution takes precedence over "closed", a
 * closing time over an open status.
 * @returns `because` the deciding evidence, unless the word decided
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

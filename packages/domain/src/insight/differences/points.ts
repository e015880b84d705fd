import { LastMoment, Moment } from '@specboard/contract'
import { invalid } from '../../kernel/errors.ts'
import type { LogEntry } from './log.ts'

/** Entries after which a record was reviewed: what changed since is what the next reviewer looks at. */
const reviews: ReadonlySet<string> = new Set(['validation_submitted', 'evaluation_submitted', 'complexity_evaluated'])

const versionForm = /^v([1-9]\d{0,8})$/

/** The entries of a record, oldest first, in which points are looked for. */
interface Entries {
  readonly entries: readonly LogEntry[]
  /** Whether the entries tell the versions of the record. */
  readonly hasVersions: boolean
}

/**
 * The place among the entries of the last one that belongs to the state which a point names.
 * @throws DomainError VALIDATION_ERROR for a point that the record does not have
 */
export function placeOf(field: 'from' | 'to', point: string, { entries, hasVersions }: Entries): number {
  const [, version] = versionForm.exec(point) ?? []
  if (version !== undefined && !hasVersions)
    throw invalid(field, 'Cards and sprints have no versions to compare. Send the id of an entry, or a time.')
  const place =
    version === undefined
      ? placeAt(field, point, entries)
      : entries.findLastIndex(entry => entry.version === Number(version))
  if (place === -1)
    throw invalid(field, `"${point}" names no state of this record: send the id of a history entry, v3, or a time.`)
  return place
}

function placeAt(field: 'from' | 'to', point: string, entries: readonly LogEntry[]): number {
  const byId = entries.findIndex(({ id }) => id === point)
  if (byId !== -1) return byId
  const time = (field === 'from' ? Moment : LastMoment).safeParse(point)
  return time.success ? entries.findLastIndex(({ created_at }) => created_at <= time.data) : -1
}

/** Where a comparison begins unless it is said: the last review up to its end, else the entry before the end. */
export function usualStart(entries: readonly LogEntry[], to: number): number {
  const review = entries.slice(0, to + 1).findLastIndex(({ name }) => reviews.has(name))
  return review === -1 ? Math.max(0, to - 1) : review
}

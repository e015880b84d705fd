import { LastMoment, Moment } from '@specboard/contract'
import { invalid } from '../../kernel/errors.ts'
import type { LogEntry } from './log.ts'

/** Entries after which a record counts as reviewed: the next reviewer looks at what changed since. */
const reviews: ReadonlySet<string> = new Set(['validation_submitted', 'evaluation_submitted', 'complexity_evaluated'])

const versionForm = /^v([1-9]\d{0,8})$/
const revForm = /^r([1-9]\d{0,14})$/

/** The entries of a record, oldest first, in which points are looked up. */
interface Entries {
  readonly entries: readonly LogEntry[]
  /** Whether the entries contain the versions of the record. */
  readonly hasVersions: boolean
}

/**
 * The index of the last entry that belongs to the state named by a point.
 * @throws DomainError VALIDATION_ERROR for a point that the record does not have
 */
export function placeOf(field: 'from' | 'to', point: string, { entries, hasVersions }: Entries): number {
  const [, version] = versionForm.exec(point) ?? []
  if (version !== undefined && !hasVersions)
    throw invalid(field, 'Cards and sprints have no versions to compare. Send r12, the id of an entry, or a time.')
  const place = version === undefined ? placeNamed(field, point, entries) : placeOfVersion(Number(version), entries)
  if (place === -1)
    throw invalid(
      field,
      `"${point}" is not a state of this record: send r12 (a rev), the id of a history entry, v3, or a time.`,
    )
  return place
}

const placeOfVersion = (version: number, entries: readonly LogEntry[]): number =>
  entries.findLastIndex(entry => entry.version === version)

function placeNamed(field: 'from' | 'to', point: string, entries: readonly LogEntry[]): number {
  const [, rev] = revForm.exec(point) ?? []
  return rev === undefined ? placeAt(field, point, entries) : placeOfRev(Number(rev), entries)
}

/**
 * The last entry of the state that a record was in at a `rev`; changes without an entry are covered by the next one.
 */
const placeOfRev = (rev: number, entries: readonly LogEntry[]): number =>
  rev > Math.max(...entries.map(entry => entry.rev)) ? -1 : entries.findLastIndex(entry => entry.rev <= rev)

function placeAt(field: 'from' | 'to', point: string, entries: readonly LogEntry[]): number {
  const byId = entries.findIndex(({ id }) => id === point)
  if (byId !== -1) return byId
  const time = (field === 'from' ? Moment : LastMoment).safeParse(point)
  return time.success ? entries.findLastIndex(({ created_at }) => created_at <= time.data) : -1
}

/** The default start of a comparison: the last review before its end, otherwise the entry before the end. */
export function defaultStart(entries: readonly LogEntry[], to: number): number {
  const review = entries.slice(0, to + 1).findLastIndex(({ name }) => reviews.has(name))
  return review === -1 ? Math.max(0, to - 1) : review
}

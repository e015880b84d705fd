import type { Entry } from '../../kernel/events.ts'
import type { Change } from '../../schema/contents.ts'
import type { PlanningType } from './record-entry.ts'

type EntryParts = Pick<Entry, 'activity' | 'history'>

/** The kinds of record whose updates and moves have the same entries. */
type DraftedType = Exclude<PlanningType, 'spec'>

interface VersionedRecord {
  readonly id: string
  readonly version: number
}

/** The entry of an update of an ideation or refinement (ideation 9). */
export function updatedEntry(
  type: DraftedType,
  { id, version }: VersionedRecord,
  changes: readonly Change[],
): EntryParts {
  const fields = changes.map(change => change.field)
  return {
    activity: { action: `${type}_updated`, details: { [`${type}_id`]: id, version, fields } },
    history: { action: 'updated', changes, summary: `Changed ${fields.join(', ')}` },
  }
}

/** The entry of a move of an ideation or refinement (ideation 9). */
export const movedEntry = (
  type: DraftedType,
  { id, version }: VersionedRecord,
  from: string,
  to: string,
): EntryParts => ({
  activity: { action: `${type}_moved`, details: { [`${type}_id`]: id, from_status: from, to_status: to, version } },
  history: {
    action: 'status_changed',
    changes: [{ field: 'status', old: from, new: to }],
    summary: `Moved from ${from} to ${to}`,
  },
})

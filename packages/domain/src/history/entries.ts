import type { Change, Entry } from '../events.ts'
import type { SnapshotOwner } from '../snapshots/room.ts'

type Written = Pick<Entry, 'activity' | 'history'>

interface Versioned {
  readonly id: string
  readonly version: number
}

/** The entry of an update of an ideation or refinement (ideation 9). */
export function updatedEntry(type: SnapshotOwner, { id, version }: Versioned, changes: readonly Change[]): Written {
  const fields = changes.map(change => change.field)
  return {
    activity: { action: `${type}_updated`, details: { [`${type}_id`]: id, version, fields } },
    history: { action: 'updated', changes, summary: `Changed ${fields.join(', ')}` },
  }
}

/** The entry of a move of an ideation or refinement (ideation 9). */
export const movedEntry = (type: SnapshotOwner, { id, version }: Versioned, from: string, to: string): Written => ({
  activity: { action: `${type}_moved`, details: { [`${type}_id`]: id, from_status: from, to_status: to, version } },
  history: {
    action: 'status_changed',
    changes: [{ field: 'status', old: from, new: to }],
    summary: `Moved from ${from} to ${to}`,
  },
})

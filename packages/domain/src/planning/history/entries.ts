import type { Entry } from '../../kernel/events.ts'
import type { Change } from '../../schema/contents.ts'
import type { PlanningType } from './record-entry.ts'

type Written = Pick<Entry, 'activity' | 'history'>

/** The kinds of record whose updates and moves have the same entries. */
type Drafted = Exclude<PlanningType, 'spec'>

interface Versioned {
  readonly id: string
  readonly version: number
}

/** The entry of an update of an ideation or refinement (ideation 9). */
export function updatedEntry(type: Drafted, { id, version }: Versioned, changes: readonly Change[]): Written {
  const fields = changes.map(change => change.field)
  return {
    activity: { action: `${type}_updated`, details: { [`${type}_id`]: id, version, fields } },
    history: { action: 'updated', changes, summary: `Changed ${fields.join(', ')}` },
  }
}

/** The entry of a move of an ideation or refinement (ideation 9). */
export const movedEntry = (type: Drafted, { id, version }: Versioned, from: string, to: string): Written => ({
  activity: { action: `${type}_moved`, details: { [`${type}_id`]: id, from_status: from, to_status: to, version } },
  history: {
    action: 'status_changed',
    changes: [{ field: 'status', old: from, new: to }],
    summary: `Moved from ${from} to ${to}`,
  },
})

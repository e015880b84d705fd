import { parseNullable } from '../lib/json.ts'
import type { Change } from '../schema/contents.ts'
import type { EventsTable } from '../schema/tables.ts'

/** The parts of an event log entry that hold the changes of its record. */
export type Contents = Pick<EventsTable, 'action' | 'changes' | 'details'>

/**
 * The changed fields that an entry records; for a card, also those that only the details of its activity record (cards
 * 13).
 */
export function loggedChanges(type: string, { action, changes, details }: Contents): readonly Change[] {
  if (type !== 'card') return parseNullable(changes) ?? []
  const parsed: Readonly<Record<string, unknown>> = parseNullable(details) ?? {}
  if (action === 'card_moved') return [{ field: 'status', old: parsed.from_status, new: parsed.to_status }]
  if (action === 'card_archived' || action === 'card_restored')
    return [{ field: 'archived', old: action === 'card_restored', new: action === 'card_archived' }]
  return parseNullable(changes) ?? []
}

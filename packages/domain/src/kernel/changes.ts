import { sameJson } from '../lib/json.ts'
import type { Change } from '../schema/contents.ts'

/** The fields whose values differ, with old and new value, in the order of `after`. */
export function changedFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Change[] {
  return Object.entries(after)
    .filter(([field, value]) => !sameJson(before[field], value))
    .map(([field, value]) => ({ field, old: before[field] ?? null, new: value }))
}

/** The columns of a revised record to write: the changed fields, the version and the time of the change. */
export function revisedColumns<Columns extends { version: number; updated_at: string }>(
  columns: Columns,
  changes: readonly Change[],
): Partial<Columns> {
  const names = [...changes.map(change => change.field), 'version', 'updated_at'] as (keyof Columns)[]
  return Object.fromEntries(names.map(name => [name, columns[name]])) as Partial<Columns>
}

/** The changes of a creation: each field with a value, from null. */
export const createdFields = (fields: Readonly<Record<string, unknown>>): Change[] =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([field, value]) => ({ field, old: null, new: value }))

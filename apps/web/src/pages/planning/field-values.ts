import type { PlanRecord } from '../../data/planning.ts'
import type { FieldName } from './fields.ts'
import type { Item, Line } from './lists.ts'

const valueIn = (record: PlanRecord, field: FieldName | 'title'): unknown =>
  (record as Readonly<Record<string, unknown>>)[field]

/** A text of a record; empty if it has none. */
export function fieldIn(record: PlanRecord, field: FieldName | 'title'): string {
  const value = valueIn(record, field)
  return typeof value === 'string' ? value : ''
}

/** A list of texts of a record. */
export const linesIn = (record: PlanRecord, field: FieldName): readonly Line[] =>
  (valueIn(record, field) as readonly Line[] | null | undefined) ?? []

/** A list of items of a record. */
export const itemsIn = (record: PlanRecord, field: FieldName): readonly Item[] =>
  (valueIn(record, field) as readonly Item[] | null | undefined) ?? []

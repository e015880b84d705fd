import { withAuthors } from '../archive/authors.ts'
import type { Column } from '../kinds/columns.ts'
import { toStored } from '../kinds/forms.ts'
import { kindOf } from '../kinds/kinds.ts'
import type { Authors } from './authors.ts'
import type { Ids } from './ids.ts'
import { refused } from './refused.ts'
import type { SourceRecord } from './source.ts'

/** Values by column, as stored. */
export type Row = Record<string, unknown>

/** What is needed to make the columns of imported rows. */
export interface RowContext {
  readonly ids: Ids
  readonly authors: Pick<Authors, 'of'>
}

/** The columns of a record as they are stored, with references and authors of this service. */
export const rowOf = (record: SourceRecord, naming: RowContext): Row =>
  rowFrom(kindOf.get(record.type)!.columns, record, naming)

/** The columns of some values of a record, or of a part of it. */
export function rowFrom(
  columns: Readonly<Record<string, Column>>,
  record: Pick<SourceRecord, 'fields' | 'place'>,
  naming: RowContext,
): Row {
  const row: Row = {}
  for (const name of Object.keys(columns)) {
    const column = columns[name]!
    row[name] = toStored(column, importedValue(name, column, record, naming))
  }
  return row
}

function importedValue(
  name: string,
  column: Column,
  record: Pick<SourceRecord, 'fields' | 'place'>,
  { ids, authors }: RowContext,
): unknown {
  const value = record.fields[name] ?? column.absent ?? null
  const { names } = column
  if (names !== undefined && value !== null) {
    const kind = 'kind' in names ? names.kind : String(record.fields[names.kindIn])
    const here = ids.of(kind, String(value))
    if (here === undefined && names.optional && ids.isLeft(kind, String(value))) return null
    if (here === undefined) throw refused(`${name} names the ${kind} ${String(value)}, which is missing`, record.place)
    return here
  }
  return withAuthors(column, ids.within(column, value), author => authors.of(author))
}

import { sameJson } from '../../lib/json.ts'
import type { Column } from '../kinds/columns.ts'
import { digestOf } from '../kinds/digest.ts'
import { toRecord } from '../kinds/forms.ts'
import type { Kind } from '../kinds/kinds.ts'
import type { EarlierImport } from './known.ts'
import type { Row } from './rows.ts'

/** The digests of the values that were imported last, by column. */
type Digests = EarlierImport['imported']

/** Columns for time and order: a difference in them alone does not count. */
const passing: ReadonlySet<string> = new Set([
  'id',
  'number',
  'position',
  'version',
  'rev',
  'created_at',
  'updated_at',
  'moved_at',
  'moved_by',
  'changed_since_validated',
  'removed_item_numbers',
])

/** The columns of a kind that a later import compares. */
const comparedColumns = ({ columns }: Pick<Kind, 'columns'>): [string, Column][] =>
  Object.entries(columns).filter(([name]) => !passing.has(name))

/** A stored value in the form in which two imports compare it. */
function compared(column: Column, stored: unknown): unknown {
  const value = toRecord(column, stored ?? null)
  return column.compared === undefined || value === null ? value : column.compared(value)
}

/** Whether a later import considers two stored values equal. */
export const sameStored = (column: Column, a: unknown, b: unknown): boolean =>
  a === b || sameJson(compared(column, a), compared(column, b))

/** The digest of a stored value, to tell later whether it is unchanged. */
export const storedDigest = (column: Column, stored: unknown): string => digestOf(compared(column, stored))

/** The digests of a row's given columns, as far as a later import compares them. */
export const digestsOf = (kind: Pick<Kind, 'columns'>, row: Row, isGiven: (name: string) => boolean): Digests =>
  Object.fromEntries(
    comparedColumns(kind)
      .filter(([name]) => isGiven(name))
      .map(([name, column]) => [name, storedDigest(column, row[name])]),
  )

/** What a later import does with an existing record. */
export interface Merge {
  /** The columns that take the value of the file. */
  readonly changed: Row
  /** The columns that the file changed but that are kept, because they were changed here. */
  readonly keptColumns: readonly string[]
}

/**
 * How a later import changes a record (exchange 1.3): a column that the file changed takes the file's value if it still
 * has the value imported last. Columns that only make sense together change together, or are kept together.
 * @param isGiven the columns in the file
 */
export function merge(
  kind: Pick<Kind, 'columns' | 'together'>,
  { row, before, last = {} }: { readonly row: Row; readonly before: Row; readonly last: Digests | undefined },
  isGiven: (name: string) => boolean,
): Merge {
  const changed: Row = {}
  const keptColumns: string[] = []
  for (const names of groupsOf(kind)) {
    const present = names.filter(isGiven)
    const differs = (than: Row) => (name: string) => last[name] !== storedDigest(kind.columns[name]!, than[name])
    const differing = present.filter(name => !sameStored(kind.columns[name]!, row[name], before[name]))
    if (differing.length === 0 || !present.some(differs(row))) continue
    if (present.some(differs(before))) keptColumns.push(...differing)
    else for (const name of differing) changed[name] = row[name]
  }
  return { changed, keptColumns }
}

/** The compared columns of a kind, those that change together in one group. */
function groupsOf({ columns, together = [] }: Pick<Kind, 'columns' | 'together'>): (readonly string[])[] {
  const grouped = new Set(together.flat())
  return [...together, ...comparedColumns({ columns }).flatMap(([name]) => (grouped.has(name) ? [] : [[name]]))]
}

/** Whether only imports have changed an existing record. */
export const isAsImported = (kind: Pick<Kind, 'columns'>, before: Row, last: Digests): boolean =>
  comparedColumns(kind).every(([name, column]) => last[name] === storedDigest(column, before[name]))

import type { ReactNode } from 'react'
import { byName } from '../messages/format.ts'

/** A record of a table. */
export interface TableRow {
  readonly id: string
}

/** A column of a table of records. */
export interface TableColumn<Row extends TableRow> {
  readonly id: string
  readonly label: string
  /** What it is called in files, in whatever language the page is read. */
  readonly heading: string
  readonly cell: (row: Row) => ReactNode
  /** What a cell says, for files. */
  readonly text: (row: Row) => string
  /** What it sorts by, the smallest first; what is null comes last either way. A column without it does not sort. */
  readonly sortBy?: (row: Row) => string | number | null
  /** Its cells stand at their end, as numbers do. */
  readonly isNumber?: boolean
  /** Its sign says enough; the words of the head are for screen readers. */
  readonly isSign?: boolean
  /** Below it, over all rows that are shown. */
  readonly total?: (rows: readonly Row[]) => ReactNode
}

/** What the rows of a table can be grouped by. */
export interface Grouping<Row extends TableRow> {
  readonly id: string
  readonly label: string
  /** Null for rows without one; they come last. */
  readonly keyOf: (row: Row) => string | null
  readonly title: (key: string | null) => string
  readonly sign?: (key: string | null) => ReactNode
  /** The keys in their order; others follow by their titles. */
  readonly order?: readonly string[]
}

/** Rows that stand together. */
export interface RowGroup<Row extends TableRow> {
  readonly key: string | null
  readonly rows: readonly Row[]
}

/** By which column a table is sorted. */
export interface Sort {
  readonly column: string
  readonly isDescending: boolean
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : byName(String(a), String(b))
}

/** Rows in the order of a column; what stands equal stays in the order in which it came. */
export function sorted<Row extends TableRow>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const sortBy = columns.find(({ id }) => id === sort?.column)?.sortBy
  if (sort === undefined || sortBy === undefined) return rows
  const direction = sort.isDescending ? -1 : 1
  return rows
    .map(row => ({ row, value: sortBy(row) }))
    .sort(({ value: a }, { value: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null)
      return direction * compare(a, b)
    })
    .map(({ row }) => row)
}

/** Rows in groups; one group with all of them where they are not grouped. */
export function grouped<Row extends TableRow>(
  rows: readonly Row[],
  grouping: Grouping<Row> | undefined,
): readonly RowGroup<Row>[] {
  if (grouping === undefined) return [{ key: null, rows }]
  const { keyOf, title, order = [] } = grouping
  const groups = [...Map.groupBy(rows, keyOf)].map(([key, ofGroup]) => ({ key, rows: ofGroup }))
  const placeOf = (key: string | null) => {
    if (key === null) return Number.POSITIVE_INFINITY
    const place = order.indexOf(key)
    return place === -1 ? order.length : place
  }
  return groups.sort((a, b) => {
    const [one, other] = [placeOf(a.key), placeOf(b.key)]
    return one === other ? byName(title(a.key), title(b.key)) : one - other
  })
}

/** One line of a table: the head of a group, or a row. */
export type Line<Row extends TableRow> =
  | { readonly kind: 'group'; readonly group: RowGroup<Row> }
  | { readonly kind: 'row'; readonly row: Row; readonly group: RowGroup<Row> }

/** The name of a group among those that are folded. */
export const nameOfGroup = (key: string | null): string => key ?? ''

/** The lines of a table from above; a folded group shows its head alone. */
export function linesOf<Row extends TableRow>(
  groups: readonly RowGroup<Row>[],
  isGrouped: boolean,
  folded: ReadonlySet<string>,
): readonly Line<Row>[] {
  return groups.flatMap((group): Line<Row>[] => [
    ...(isGrouped ? [{ kind: 'group', group } as const] : []),
    ...(isGrouped && folded.has(nameOfGroup(group.key))
      ? []
      : group.rows.map(row => ({ kind: 'row', row, group }) as const)),
  ])
}

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
  /** Its name in files, which does not depend on the language of the page. */
  readonly heading: string
  readonly cell: (row: Row) => ReactNode
  /** What a cell says, for files. */
  readonly text: (row: Row) => string
  /** The sort key, ascending; null comes last in either direction. A column without one is not sortable. */
  readonly sortBy?: (row: Row) => string | number | null
  /** Whether its cells are aligned at the end, like numbers. */
  readonly isNumber?: boolean
  /** Whether its head shows only an icon; its label is for screen readers. */
  readonly isSign?: boolean
  /** The total below it, over all shown rows. */
  readonly total?: (rows: readonly Row[]) => ReactNode
}

/** A property by which the rows of a table can be grouped. */
export interface Grouping<Row extends TableRow> {
  readonly id: string
  readonly label: string
  /** Null for rows without the property; they come last. */
  readonly keyOf: (row: Row) => string | null
  readonly title: (key: string | null) => string
  readonly sign?: (key: string | null) => ReactNode
  /** The keys in their order; others follow by their titles. */
  readonly order?: readonly string[]
}

/** Rows that are shown as a group. */
export interface RowGroup<Row extends TableRow> {
  readonly key: string | null
  readonly rows: readonly Row[]
}

/** The sort of a table. */
export interface Sort {
  readonly column: string
  readonly isDescending: boolean
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : byName(String(a), String(b))
}

/** Rows sorted by a column; the sort is stable. */
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

/** Rows in groups; a single group with all rows if they are not grouped. */
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

/** The key of a group in the set of folded groups. */
export const nameOfGroup = (key: string | null): string => key ?? ''

/** The lines of a table from the top; a folded group shows only its head. */
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

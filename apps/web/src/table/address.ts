import type { Sort } from './model.ts'

/** The display options of a table, kept in the address. */
export interface TableOptions {
  readonly sort: Sort | undefined
  /** Undefined if rows are not grouped. */
  readonly group: string | undefined
  /** The columns that are shown, in the order of the table. */
  readonly columns: readonly string[]
}

/** The default display options of a table. */
export interface DefaultTableOptions {
  readonly group: string | undefined
  readonly columns: readonly string[]
}

/** The value in the address that turns grouping off, if rows are grouped by default. */
const ungrouped = 'none'

/**
 * Reads the display options of a table.
 * @param all the columns that can be chosen
 * @param groupings what rows can be grouped by
 */
export function readTableOptions(
  query: URLSearchParams,
  all: readonly string[],
  groupings: readonly string[],
  usual: DefaultTableOptions,
): TableOptions {
  const sort = query.get('sort') ?? ''
  const group = query.get('group')
  const chosen = query.get('cols')?.split(',')
  const isDescending = sort.startsWith('-')
  const column = isDescending ? sort.slice(1) : sort
  return {
    sort: all.includes(column) ? { column, isDescending } : undefined,
    group: group === ungrouped ? undefined : (groupings.find(each => each === group) ?? usual.group),
    columns: all.filter(each => (chosen ?? usual.columns).includes(each)),
  }
}

const withName = (query: URLSearchParams, name: string, value: string | undefined): URLSearchParams => {
  const next = new URLSearchParams(query)
  if (value === undefined) next.delete(name)
  else next.set(name, value)
  return next
}

/** The address with another sort; if the sort is undefined, the rows keep their given order. */
export const withSort = (query: URLSearchParams, sort: Sort | undefined): URLSearchParams =>
  withName(query, 'sort', sort && `${sort.isDescending ? '-' : ''}${sort.column}`)

export const withGroup = (
  query: URLSearchParams,
  group: string | undefined,
  usual: DefaultTableOptions,
): URLSearchParams => withName(query, 'group', group === usual.group ? undefined : (group ?? ungrouped))

export const withColumns = (
  query: URLSearchParams,
  columns: readonly string[],
  usual: DefaultTableOptions,
): URLSearchParams => withName(query, 'cols', columns.join() === usual.columns.join() ? undefined : columns.join())

/** The sort after a click on a column head: ascending, descending, none. */
export function nextSort(sort: Sort | undefined, column: string): Sort | undefined {
  if (sort?.column !== column) return { column, isDescending: false }
  return sort.isDescending ? undefined : { column, isDescending: true }
}

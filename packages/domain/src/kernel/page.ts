/** What a list asks for; without both the whole list comes. */
export interface Paging {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** A part of a list, and how long the whole is (`X-Total-Count`). */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
}

/** Stands for "no limit" in a query of one shape; both databases take it. */
export const noLimit = Number.MAX_SAFE_INTEGER

/** The parameters of a list query of one shape. */
export const window = ({ limit, offset }: Paging): { limit: number; offset: number } => ({
  limit: limit ?? noLimit,
  offset: offset ?? 0,
})

/** A page of rows; counts only when the list was cut, for the count grows with the board. */
export async function paged<Row, Item>(
  rows: readonly Row[],
  paging: Paging,
  count: () => Promise<number>,
  item: (row: Row) => Item,
): Promise<Page<Item>> {
  const { limit, offset = 0 } = paging
  const whole = offset === 0 && (limit === undefined || rows.length < limit)
  return { items: rows.map(item), total: whole ? rows.length : await count() }
}

/** A page of a list that is at hand. */
export const pageOf = <Item>(items: readonly Item[], { limit = items.length, offset = 0 }: Paging): Page<Item> => ({
  items: items.slice(offset, offset + limit),
  total: items.length,
})

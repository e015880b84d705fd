/** The requested part of a list; without both members, the whole list. */
export interface Paging {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Part of a list, with the length of the whole (`X-Total-Count`). */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
}

/** "No limit" for a query whose SQL always has a limit; both databases accept it. */
export const noLimit = Number.MAX_SAFE_INTEGER

/** The parameters of a list query whose SQL always has `limit` and `offset`. */
export const window = ({ limit, offset }: Paging): { limit: number; offset: number } => ({
  limit: limit ?? noLimit,
  offset: offset ?? 0,
})

/**
 * A page of rows. Counts only when the list was cut, because the cost of counting grows with the board.
 *
 * @example
 * // `rows` must already be the requested part: the query takes `window(paging)`.
 * const rows = await listKnowledge(ctx.db, { owner, ...window(query) })
 * return paged(rows, query, async () => (await countKnowledge(ctx.db, { owner }))[0]!.count, summaryOf)
 */
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

/** A page of a list that is already in memory. */
export const pageOf = <Item>(items: readonly Item[], { limit = items.length, offset = 0 }: Paging): Page<Item> => ({
  items: items.slice(offset, offset + limit),
  total: items.length,
})

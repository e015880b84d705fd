/** Pages of the lists that are counted where they change, so that a page costs the same wherever it begins. */
import type { Flag } from '../schema/columns.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import type { CountedKind } from '../schema/list-counts.ts'
import { noLimit, type Page, type Paging } from './page.ts'

/** The records that a list asks for. */
export interface CountedFilter {
  board: string
  /** Null for any status. */
  status: string | null
  /** 1 includes archived records. */
  archived: Flag
}

/** Where a query of a list, last changed first, begins and ends, as its SQL parameters. */
export interface Stretch {
  /** Only records changed before this time: later ones come before the page. */
  before: string
  limit: number
  offset: number
}

/** A requested part of a counted list. */
export interface Place extends Stretch {
  /** The length of the whole list; undefined when the part is all of it. */
  readonly total: number | undefined
}

/** Later than every time. */
const end = '~'

const counts = hot<CountedFilter & { kind: CountedKind }, { since: string; count: number }>((db, param) =>
  db
    .selectFrom('list_counts')
    .select(({ fn }) => ['since', fn.sum<number>('count').as('count')])
    .where('board_id', '=', param('board'))
    .where('kind', '=', param('kind'))
    .where(({ eb, fn }) => eb('status', '=', fn.coalesce(eb.val(param('status')), 'status')))
    .where('archived', '<=', param('archived'))
    .groupBy('since')
    .orderBy('since', 'desc'),
)

/**
 * Where a part of a list lies: passes the stretches before it by their counts, so that the query passes few records.
 *
 * @example
 * const place = await placeIn(ctx.db, 'spec', filter, query)
 * return pageAt(place, await listSpecs(ctx.db, { ...filter, ...place }), specSummaryOf)
 */
export async function placeIn(db: Db, kind: CountedKind, filter: CountedFilter, paging: Paging): Promise<Place> {
  const { limit = noLimit, offset = 0 } = paging
  if (limit === noLimit && offset === 0) return { before: end, limit, offset, total: undefined }
  const { board, status, archived } = filter
  const stretches = await counts(db, { board, status, archived, kind })
  let before = end
  let passed = 0
  for (const { since, count } of stretches) {
    if (passed + count > offset) break
    passed += count
    before = since
  }
  const total = stretches.reduce((sum, { count }) => sum + count, 0)
  return { before, limit, offset: offset - passed, total }
}

/** The page of the rows that were read at a place. */
export const pageAt = <Row, Item>({ total }: Place, rows: readonly Row[], item: (row: Row) => Item): Page<Item> => ({
  items: rows.map(item),
  total: total ?? rows.length,
})

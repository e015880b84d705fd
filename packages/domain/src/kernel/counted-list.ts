/** Pages of lists whose lengths are counted on write, so that a page costs the same wherever it begins. */
import { sql } from 'kysely'
import type { Flag } from '../schema/columns.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import { type CountedTable, countedTables } from '../schema/list-counts.ts'
import type { CountedKind } from '../schema/tables.ts'
import { noLimit, type Page, type Paging } from './page.ts'

/** The filter of a list. */
export interface CountedFilter {
  board: string
  /** Null for any status. */
  status: string | null
  /** 1 includes archived records. */
  archived: Flag
}

/** Where a query of a list, ordered by latest change first, begins and ends, as its SQL parameters. */
export interface Segment {
  /** Only records changed before this time; later ones come before the page. */
  before: string
  limit: number
  offset: number
}

/** A requested part of a counted list. */
export interface ListSegment extends Segment {
  /** The length of the whole list; undefined when the part is all of it. */
  readonly total: number | undefined
}

/** A kind of record whose list is divided into segments. */
type DividedKind = Exclude<CountedKind, 'card'>

/** Later than every time. */
const end = '~'

const counts = hot<CountedFilter & { kind: DividedKind }, { since: string; count: number }>((db, param) =>
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

/** The first record of a page: its time, and how many records of that time precede it. */
interface First {
  readonly at: string
  readonly before: number
}

const firstOf = ({ table, where }: CountedTable, ofStatus: boolean) =>
  hot<CountedFilter & Pick<Segment, 'before' | 'offset'>, First>((_, param) => {
    const listed = sql`board_id = ${param('board')} and archived <= ${param('archived')}
      ${ofStatus ? sql`and status = ${param('status')}` : sql``} ${where === undefined ? sql`` : sql.raw(`and ${where(table)}`)}`
    return sql<First>`select first.updated_at as at, (select count(*) from ${sql.table(table)}
          where ${listed} and updated_at = first.updated_at and id > first.id) as before
        from (select updated_at, id from ${sql.table(table)} where ${listed} and updated_at < ${param('before')}
          order by updated_at desc, id desc limit 1 offset ${param('offset')}) first`
  })

const firstsOf = new Map(
  countedTables.map(counted => [counted.kind, { any: firstOf(counted, false), one: firstOf(counted, true) }]),
)

/**
 * Skips the records before a page using the index of the list alone. The query of the page would skip them too, but
 * PostgreSQL evaluates all columns of skipped rows, each with its subqueries.
 */
async function passed(db: Db, kind: DividedKind, filter: CountedFilter, segment: Segment): Promise<Segment> {
  const { any, one } = firstsOf.get(kind)!
  const { board, status, archived } = filter
  const { before, limit, offset } = segment
  const [first] = await (status === null ? any : one)(db, { board, status, archived, before, offset })
  // Later than all records of its time, and earlier than all later ones.
  return first === undefined ? segment : { before: `${first.at} `, limit, offset: first.before }
}

/**
 * Finds where a page of a list begins. It skips whole segments by their counts, so that the query skips few records.
 *
 * @example
 * const place = await placeIn(ctx.db, 'spec', filter, query)
 * return pageAt(place, await listSpecs(ctx.db, { ...filter, ...place }), specSummaryOf)
 */
export async function placeIn(db: Db, kind: DividedKind, filter: CountedFilter, paging: Paging): Promise<ListSegment> {
  const { limit = noLimit, offset = 0 } = paging
  if (limit === noLimit && offset === 0) return { before: end, limit, offset, total: undefined }
  const { board, status, archived } = filter
  const segments = await counts(db, { board, status, archived, kind })
  let before = end
  let passing = offset
  for (const { since, count } of segments) {
    if (count > passing) break
    passing -= count
    before = since
  }
  const total = segments.reduce((sum, { count }) => sum + count, 0)
  const segment = { before, limit, offset: passing }
  return { ...(passing > limit && offset < total ? await passed(db, kind, filter, segment) : segment), total }
}

/** A page of a list that is read from its beginning, without counts. */
export const fromStart = ({ limit = noLimit, offset = 0 }: Paging): Segment => ({ before: end, limit, offset })

/** The page made of the rows that were read at a place. */
export const pageAt = <Row, Item>(
  { total }: ListSegment,
  rows: readonly Row[],
  item: (row: Row) => Item,
): Page<Item> => ({
  items: rows.map(item),
  total: total ?? rows.length,
})
